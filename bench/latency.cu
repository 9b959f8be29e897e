// How many cycles until a value is there, and how many a wavefront takes when there are always
// more.
//
// Latency: one warp, each read at a place that the last one named. Throughput: 32 warps of one
// block read shared memory without waiting; then it is cycles for each request of any warp.
//
//   nvcc -O3 -arch=native latency.cu -o latency && ./latency > latency.csv
//
// Prints CSV: what was read, conflicts of each request, cycles from one request to the next (the
// smallest of several runs of kReads, and their median), which is the latency plus one addition or
// none. Reads of shared memory are at index chain[lane * stride], so that stride 2, 4, … 32 give
// 2-way to 32-way conflicts.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

namespace {

constexpr int kReads = 2048, kRuns = 21, kLanes = 32;
constexpr unsigned kAll = 0xffffffff;
constexpr int kWords = kLanes * kLanes;

#define CHECK(call)                                                                                \
  do {                                                                                             \
    const cudaError_t error = (call);                                                              \
    if (error != cudaSuccess) {                                                                    \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                           \
                   cudaGetErrorString(error));                                                     \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (false)

template <class Step>
__device__ void chase(long long* cycles, int* sink, int at, Step step) {
  __syncwarp();
  const long long begin = clock64();
#pragma unroll 16
  for (int i = 0; i < kReads; ++i) at = step(at);
  const long long end = clock64();
  if (threadIdx.x == 0) *cycles = end - begin;
  *sink += at; // the reads are wanted
}

__global__ void shared_read(long long* cycles, int* sink, int stride) {
  __shared__ int chain[kWords];
  for (int i = threadIdx.x; i < kWords; i += kLanes) chain[i] = i;
  const int mine = threadIdx.x * stride % kWords;
  chase(cycles, sink, mine, [&](int at) { return static_cast<volatile int*>(chain)[at]; });
}

__global__ void shared_throughput(long long* cycles, int* sink, int stride) {
  __shared__ int words[kWords];
  for (int i = threadIdx.x; i < kWords; i += blockDim.x) words[i] = i;
  const volatile int* const mine = words + threadIdx.x % kLanes * stride % kWords;
  __syncthreads();
  const long long begin = clock64();
  int sum = 0;
#pragma unroll 16
  for (int i = 0; i < kReads; ++i) sum += *mine;
  __syncthreads();
  const long long end = clock64();
  if (threadIdx.x == 0) *cycles = (end - begin) / (blockDim.x / kLanes);
  *sink += sum; // the reads are wanted
}

__global__ void shuffle(long long* cycles, int* sink, int) {
  chase(cycles, sink, threadIdx.x, [](int at) { return __shfl_sync(kAll, at, at); });
}

__constant__ int table[kWords];
__global__ void constant_read(long long* cycles, int* sink, int stride) {
  chase(cycles, sink, threadIdx.x * stride % kWords, [](int at) { return table[at]; });
}

// A ring of ints in global memory, each naming the next.
__global__ void global_read(long long* cycles, int* sink, const int* ring, bool through_l1,
                            int warm) {
  const auto step = [&](int at) {
    int next;
    if (through_l1)
      asm volatile("ld.global.ca.s32 %0, [%1];" : "=r"(next) : "l"(ring + at));
    else
      asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(next) : "l"(ring + at));
    return next;
  };
  int at = threadIdx.x;
  for (int i = 0; i < warm; ++i) at = step(at);
  chase(cycles, sink, at, step);
}

template <class Launch>
void print(const char* what, int conflicts, Launch launch) {
  long long* cycles = nullptr;
  CHECK(cudaMallocManaged(&cycles, sizeof *cycles));
  std::vector<double> runs;
  for (int run = 0; run < kRuns; ++run) {
    launch(cycles);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    runs.push_back(static_cast<double>(*cycles) / kReads);
  }
  std::sort(runs.begin(), runs.end());
  std::printf("%s,%d,%.2f,%.2f\n", what, conflicts, runs.front(), runs[kRuns / 2]);
  CHECK(cudaFree(cycles));
}

int* ring_of(int words, int apart) {
  std::vector<int> host(words);
  for (int i = 0; i < words; ++i) host[i] = (i + apart) % words;
  int* ring = nullptr;
  CHECK(cudaMalloc(&ring, words * sizeof(int)));
  CHECK(cudaMemcpy(ring, host.data(), words * sizeof(int), cudaMemcpyHostToDevice));
  return ring;
}

} // namespace

int main() {
  int* sink = nullptr;
  CHECK(cudaMalloc(&sink, sizeof *sink));
  std::vector<int> identity(kWords);
  for (int i = 0; i < kWords; ++i) identity[i] = i;
  CHECK(cudaMemcpyToSymbol(table, identity.data(), sizeof table));

  std::puts("what,conflicts,cycles,median_cycles");
  for (int stride = 1; stride <= kLanes; stride *= 2) {
    char name[32];
    std::snprintf(name, sizeof name, "shared_stride_%d", stride);
    print(name, stride - 1, [&](long long* c) { shared_read<<<1, kLanes>>>(c, sink, stride); });
  }
  for (int stride = 1; stride <= kLanes; stride *= 2) {
    char name[32];
    std::snprintf(name, sizeof name, "throughput_stride_%d", stride);
    print(name, stride - 1, [&](long long* c) { shared_throughput<<<1, 1024>>>(c, sink, stride); });
  }
  print("shuffle", 0, [&](long long* c) { shuffle<<<1, kLanes>>>(c, sink, 0); });
  print("constant_uniform", 0, [&](long long* c) { constant_read<<<1, kLanes>>>(c, sink, 0); });
  print("constant_32_words", 31, [&](long long* c) { constant_read<<<1, kLanes>>>(c, sink, 1); });
  constexpr int kSmall = 1 << 12; // 16 KiB
  int* small = ring_of(kSmall, kLanes);
  for (const bool through_l1 : {true, false}) {
    print(through_l1 ? "global_l1" : "global_l2", 0, [&](long long* c) {
      global_read<<<1, kLanes>>>(c, sink, small, through_l1, kSmall / kLanes);
    });
  }
  // No two reads of a run in one place; what L2 has of the last run is overwritten before the next.
  constexpr int kLarge = 1 << 26, kApart = kLarge / kReads; // 256 MiB, 128 KiB
  int *large = ring_of(kLarge, kApart + kLanes), *other = ring_of(kLarge, 1);
  print("global_memory", 0, [&](long long* c) {
    CHECK(cudaMemset(other, 0, kLarge * sizeof(int)));
    global_read<<<1, kLanes>>>(c, sink, large, false, 0);
  });
  for (int* memory : {small, large, other, sink}) CHECK(cudaFree(memory));
  return 0;
}
