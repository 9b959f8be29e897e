// When does a tile pay? Sums of 2R + 1 neighbours with weights, by loads that the first-level cache
// catches, and from a tile with its halo; one element a thread, and for R = 4 four and eight
// elements a thread with loads of 16 bytes, as in lab 06.
#include "experiment.cuh"

namespace {

constexpr int kMost = 64, kThreads = 256;
__constant__ float weights[kMost + 1];

// `in` has kMost elements before its first and behind its last.
template <int kRadius, bool kTile>
__global__ void one_each(float* out, const float* in) {
  const int t = threadIdx.x, first = blockIdx.x * kThreads;
  float sum = 0;
  if (kTile) {
    __shared__ float tile[kThreads + 2 * kRadius];
    for (int i = t; i < kThreads + 2 * kRadius; i += kThreads) tile[i] = in[first - kRadius + i];
    __syncthreads();
#pragma unroll
    for (int k = -kRadius; k <= kRadius; ++k)
      sum += weights[k < 0 ? -k : k] * tile[t + kRadius + k];
  } else {
#pragma unroll
    for (int k = -kRadius; k <= kRadius; ++k) sum += weights[k < 0 ? -k : k] * in[first + t + k];
  }
  out[first + t] = sum;
}

__device__ void nine_points(float* out, int i, float4 before, float4 own, float4 behind) {
  const float x[12] = {before.x, before.y, before.z, before.w, own.x,    own.y,
                       own.z,    own.w,    behind.x, behind.y, behind.z, behind.w};
  float sum[4] = {};
#pragma unroll
  for (int e = 0; e < 4; ++e)
#pragma unroll
    for (int k = -4; k <= 4; ++k) sum[e] += weights[k < 0 ? -k : k] * x[4 + e + k];
  reinterpret_cast<float4*>(out)[i] = {sum[0], sum[1], sum[2], sum[3]};
}

// kEach float4s a thread, all loads under way before one is waited for.
template <bool kTile, int kEach>
__global__ void fours(float* out, const float* in) {
  constexpr int kFours = kEach * kThreads;
  const float4* const from = reinterpret_cast<const float4*>(in);
  const int t = threadIdx.x, first = blockIdx.x * kFours;
  float4 own[kEach], before[kEach], behind[kEach];
#pragma unroll
  for (int e = 0; e < kEach; ++e) own[e] = from[first + t + e * kThreads];
  if (kTile) {
    __shared__ float4 tile[kFours + 2];
#pragma unroll
    for (int e = 0; e < kEach; ++e) tile[t + e * kThreads + 1] = own[e];
    if (t == 0) tile[0] = from[first - 1];
    if (t == kThreads - 1) tile[kFours + 1] = from[first + kFours];
    __syncthreads();
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
      before[e] = tile[t + e * kThreads];
      behind[e] = tile[t + e * kThreads + 2];
    }
  } else {
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
      before[e] = from[first + t + e * kThreads - 1];
      behind[e] = from[first + t + e * kThreads + 1];
    }
  }
#pragma unroll
  for (int e = 0; e < kEach; ++e)
    nine_points(out, first + t + e * kThreads, before[e], own[e], behind[e]);
}

template <int kRadius>
__global__ void plain(float* out, const float* in) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  float sum = 0;
  for (int k = -kRadius; k <= kRadius; ++k) sum += weights[k < 0 ? -k : k] * in[i + k];
  out[i] = sum;
}

template <int kRadius>
void compare(int count, int rounds) {
  const std::size_t whole = count + 2 * kMost;
  float* const memory = contest::memory<float>(whole);
  contest::random_numbers(memory, whole, 16);
  float* const in = memory + kMost;
  experiment::Experiment<float> all("stencil of radius " + std::to_string(kRadius), count, memory,
                                    whole, count);
  float* const out = all.out;
  all.reference([=] { plain<kRadius><<<count / 64, 64>>>(out, in); });
  all.add(
      "cudaMemcpy",
      [=] { cudaMemcpyAsync(out, in, count * sizeof(float), cudaMemcpyDeviceToDevice); }, in);
  const int blocks = count / kThreads;
  all.add("no tile each 1", [=] { one_each<kRadius, false><<<blocks, kThreads>>>(out, in); });
  all.add("tile each 1", [=] { one_each<kRadius, true><<<blocks, kThreads>>>(out, in); });
  if (kRadius == 4) {
    all.add("no tile each 4", [=] { fours<false, 1><<<blocks / 4, kThreads>>>(out, in); });
    all.add("tile each 4", [=] { fours<true, 1><<<blocks / 4, kThreads>>>(out, in); });
    all.add("no tile each 8", [=] { fours<false, 2><<<blocks / 8, kThreads>>>(out, in); });
    all.add("tile each 8", [=] { fours<true, 2><<<blocks / 8, kThreads>>>(out, in); });
  }
  all.hold(rounds);
  cudaFree(memory);
}

} // namespace

int main(int count, char** arguments) {
  const bool small = experiment::begin(count, arguments);
  float host[kMost + 1]; // whole numbers: the sums are exact in any order
  for (int k = 0; k <= kMost; ++k) host[k] = static_cast<float>(k % 7 - 3);
  experiment::must(cudaMemcpyToSymbol(weights, host, sizeof host), "the weights");
  const int n = small ? 1 << 12 : 1 << 26, rounds = 31;
  compare<1>(n, rounds);
  compare<4>(n, rounds);
  compare<8>(n, rounds);
  compare<16>(n, rounds);
  compare<64>(n, rounds);
  return experiment::end();
}
