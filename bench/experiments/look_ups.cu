// One of 64 floats for each lane: from constant memory, from global memory through the first-level
// cache, from a copy in shared memory, and from 32 copies there, one for each bank; with codes
// drawn at random, and with one code for all.
#include "experiment.cuh"

namespace {

constexpr int kEntries = 64, kThreads = 256;
__constant__ float constants[kEntries];

enum Memory { kConstant, kGlobal, kShared, kBanks };

template <Memory kFrom, int kEach>
__global__ void look_up(float* out, const float* codes, const float* __restrict__ table) {
  constexpr int kCopies = kFrom == kBanks ? 32 : 1;
  __shared__ float words[kFrom >= kShared ? kEntries * kCopies : 1];
  if (kFrom >= kShared) {
    for (int i = threadIdx.x; i < kEntries * kCopies; i += kThreads) words[i] = table[i / kCopies];
    __syncthreads();
  }
  const int first = blockIdx.x * kThreads * kEach + threadIdx.x, lane = threadIdx.x % 32;
  int code[kEach];
#pragma unroll
  for (int e = 0; e < kEach; ++e) code[e] = __float_as_int(codes[first + e * kThreads]);
#pragma unroll
  for (int e = 0; e < kEach; ++e)
    out[first + e * kThreads] = kFrom == kConstant ? constants[code[e]]
                                : kFrom == kGlobal ? table[code[e]]
                                : kFrom == kShared ? words[code[e]]
                                                   : words[code[e] * kCopies + lane];
}

__global__ void draw(float* codes, std::size_t count, bool equal) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  unsigned x = static_cast<unsigned>(i) * 2654435761u;
  x = (x ^ x >> 15) * 2246822519u;
  x ^= x >> 13;
  if (i < count) codes[i] = __int_as_float(equal ? 5 : x % kEntries);
}

template <int kEach>
void compare(std::size_t count, bool equal, int rounds) {
  float* const codes = contest::memory<float>(count);
  draw<<<count / 256, 256>>>(codes, count, equal);
  float host[kEntries];
  for (int e = 0; e < kEntries; ++e) host[e] = std::cos(0.1f * e);
  float* const table = contest::memory<float>(kEntries);
  experiment::must(cudaMemcpy(table, host, sizeof host, cudaMemcpyHostToDevice), "the table");
  experiment::must(cudaMemcpyToSymbol(constants, host, sizeof host), "the constants");

  experiment::Experiment<float> all(
      std::string(equal ? "look-up of one code" : "look-up at random") + " each " +
          std::to_string(kEach),
      static_cast<int>(count), codes, count, count);
  float* const out = all.out;
  const int blocks = static_cast<int>(count / kThreads / kEach);
  all.reference([=] { look_up<kGlobal, kEach><<<blocks, kThreads>>>(out, codes, table); });
  const auto add = [&](const char* way, auto kernel) {
    all.add(way, [=] { kernel<<<blocks, kThreads>>>(out, codes, table); });
  };
  add("constant memory", look_up<kConstant, kEach>);
  add("global memory", look_up<kGlobal, kEach>);
  add("shared memory", look_up<kShared, kEach>);
  add("shared memory 32 copies", look_up<kBanks, kEach>);
  all.hold(rounds);
  cudaFree(codes);
  cudaFree(table);
}

} // namespace

int main(int count, char** arguments) {
  const bool small = experiment::begin(count, arguments);
  const int rounds = 61;
  const std::size_t codes = small ? 1 << 12 : 1 << 24;
  for (const bool equal : {false, true}) {
    compare<1>(codes, equal, rounds);
    compare<8>(codes, equal, rounds);
  }
  return experiment::end();
}
