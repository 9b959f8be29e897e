// Cycles by the multiprocessor's own clock: what a lane waits for another's value by a shuffle, by
// a read of shared memory, and by a store and a read; what each costs when 32 warps ask; and what a
// load of 16 bytes costs when lanes agree in pairs, or do not.
//
//   what,cycles,low,high      medians of kRuns launches, and the bounds of their interval (95 %)
#include "experiment.cuh"

namespace {

constexpr int kSteps = 1024, kRuns = 101, kLanes = 32;
constexpr unsigned kAll = 0xffffffff;

// Cycles a step, of one warp that waits for each, or of 32 that do not wait for each other.
template <class Step>
__device__ void steps(long long* cycles, unsigned* sink, unsigned value, Step step) {
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 16
  for (int i = 0; i < kSteps; ++i) value = step(value);
  __syncthreads();
  const long long end = clock64();
  if (threadIdx.x == 0) *cycles = end - begin;
  sink[threadIdx.x] = value; // it is wanted
}

enum What { kShuffleXor, kShuffleIndex, kLoad, kStoreAndLoad };

template <What kWhat>
__global__ void exchange(long long* cycles, unsigned* sink) {
  __shared__ unsigned words[1024];
  const unsigned t = threadIdx.x, lane = t % kLanes;
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(words));
  unsigned* const of_warp = words + t / kLanes * kLanes;
  words[t] = base + 4 * t; // its own address
  if (kWhat == kShuffleXor)
    steps(cycles, sink, lane, [](unsigned x) { return __shfl_xor_sync(kAll, x, 1); });
  if (kWhat == kShuffleIndex)
    steps(cycles, sink, lane, [](unsigned x) { return __shfl_sync(kAll, x, x); });
  if (kWhat == kLoad)
    steps(cycles, sink, base + 4 * t, [](unsigned at) {
      asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
      return at;
    });
  if (kWhat == kStoreAndLoad)
    steps(cycles, sink, lane, [=](unsigned x) {
      __syncwarp();
      of_warp[lane] = x;
      __syncwarp();
      return of_warp[lane ^ 1];
    });
}

// 32 warps load float4 number `index[lane]`, over and over.
__global__ void __launch_bounds__(1024)
    wide_loads(long long* cycles, unsigned* sink, const int* index) {
  __shared__ float4 quads[512];
  for (int i = threadIdx.x; i < 512; i += blockDim.x) quads[i] = make_float4(1, 2, 3, 4);
  const unsigned at =
      static_cast<unsigned>(__cvta_generic_to_shared(quads)) + 16 * index[threadIdx.x % kLanes];
  steps(cycles, sink, 0, [=](unsigned x) {
    uint4 quad;
    asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(quad.x), "=r"(quad.y), "=r"(quad.z), "=r"(quad.w)
                 : "r"(at));
    return x ^ quad.x;
  });
}

template <class Launch>
void print(const std::string& what, int warps, Launch launch) {
  long long* cycles = contest::memory<long long>(1);
  unsigned* sink = contest::memory<unsigned>(1024);
  std::vector<double> runs;
  for (int run = 0; run < (experiment::only_checks() ? 1 : kRuns); ++run) {
    launch(cycles, sink);
    experiment::must(cudaGetLastError(), what.c_str());
    long long took = 0;
    experiment::must(cudaMemcpy(&took, cycles, sizeof took, cudaMemcpyDeviceToHost), what.c_str());
    if (run > 0) runs.push_back(static_cast<double>(took) / kSteps / warps);
  }
  cudaFree(cycles);
  cudaFree(sink);
  if (runs.empty()) return;
  const experiment::Interval of = experiment::interval(runs);
  std::printf("%s,%.2f,%.2f,%.2f\n", what.c_str(), of.median, of.low, of.high);
}

template <What kWhat>
void both(const std::string& what) {
  print(what + " alone", 1, [](auto* c, auto* s) { exchange<kWhat><<<1, kLanes>>>(c, s); });
  print(what + " 32 warps", 32, [](auto* c, auto* s) { exchange<kWhat><<<1, 1024>>>(c, s); });
}

template <class Index>
void wide(const std::string& what, Index index) {
  int host[kLanes];
  for (int t = 0; t < kLanes; ++t) host[t] = index(t);
  int* of_lane = contest::memory<int>(kLanes);
  experiment::must(cudaMemcpy(of_lane, host, sizeof host, cudaMemcpyHostToDevice), "indices");
  print("16 bytes at " + what, 32,
        [=](auto* c, auto* s) { wide_loads<<<1, 1024>>>(c, s, of_lane); });
  cudaFree(of_lane);
}

} // namespace

int main(int count, char** arguments) {
  experiment::only_checks() = count > 1;
  std::puts("what,cycles,low,high");
  both<kShuffleXor>("shuffle xor");
  both<kShuffleIndex>("shuffle index");
  both<kLoad>("shared load");
  both<kStoreAndLoad>("shared store and load");
  wide("t", [](int t) { return t; });
  wide("t / 2", [](int t) { return t / 2; });
  wide("t / 4", [](int t) { return t / 4; });
  wide("t / 4 * 2 + t % 2", [](int t) { return t / 4 * 2 + t % 2; });
  wide("(t + 1) / 2", [](int t) { return (t + 1) / 2; });
  wide("t / 2 * 8", [](int t) { return t / 2 * 8; });
  wide("t / 16 * 8", [](int t) { return t / 16 * 8; });
  wide("t % 16", [](int t) { return t % 16; });
  wide("5", [](int) { return 5; });
  return 0;
}
