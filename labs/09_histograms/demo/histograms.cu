// Ways to count 65,536 elements into 256 bins, for elements in any order and
// for elements that are all the same: in global memory, in shared memory with
// and without a use for the result, with copies a warp and a lane, with a
// match, and with floats.
//
//   ./course run labs/09_histograms/demo/histograms.cu
//   nvcc -cudart shared -arch=native histograms.cu && ./a.out 5   all in bin 5
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                      \
  do {                                                                   \
    const cudaError_t error = call;                                      \
    if (error != cudaSuccess) {                                          \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
                   cudaGetErrorString(error));                           \
      std::exit(1);                                                      \
    }                                                                    \
  } while (0)

constexpr int kElements = 65536;
constexpr int kBins = 256;
constexpr int kLanes = 32;
constexpr int kThreads = 512, kBlocks = 8;
constexpr int kWarps = kThreads / kLanes;
constexpr int kStep = kThreads * kBlocks;
constexpr unsigned kAll = 0xffffffff;

__device__ int first() { return blockIdx.x * kThreads + threadIdx.x; }

__global__ void in_global(int* out, const int* in) {
  for (int i = first(); i < kElements; i += kStep) atomicAdd(&out[in[i]], 1);
}

__global__ void in_shared(int* out, const int* in) {
  __shared__ int bins[kBins];
  for (int b = threadIdx.x; b < kBins; b += kThreads) bins[b] = 0;
  __syncthreads();
  for (int i = first(); i < kElements; i += kStep) atomicAdd(&bins[in[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += kThreads)
    atomicAdd(&out[b], bins[b]);
}

// The same, but each thread wants to know what it got: the most is kept.
__global__ void result_used(int* out, const int* in) {
  __shared__ int bins[kBins];
  for (int b = threadIdx.x; b < kBins; b += kThreads) bins[b] = 0;
  __syncthreads();
  int most = 0;
  for (int i = first(); i < kElements; i += kStep)
    most = max(most, atomicAdd(&bins[in[i]], 1));
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += kThreads)
    atomicAdd(&out[b], bins[b]);
  if (most >= kElements) out[0] = 0;  // never, but the compiler cannot know
}

__global__ void copy_a_warp(int* out, const int* in) {
  __shared__ int bins[kWarps][kBins];
  for (int w = threadIdx.x; w < kWarps * kBins; w += kThreads)
    (&bins[0][0])[w] = 0;
  __syncthreads();
  int most = 0;
  for (int i = first(); i < kElements; i += kStep)
    most = max(most, atomicAdd(&bins[threadIdx.x / kLanes][in[i]], 1));
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += kThreads) {
    int sum = 0;
    for (int w = 0; w < kWarps; ++w) sum += bins[w][b];
    atomicAdd(&out[b], sum);
  }
  if (most >= kElements) out[0] = 0;
}

__global__ void by_match(int* out, const int* in) {
  __shared__ int bins[kBins];
  for (int b = threadIdx.x; b < kBins; b += kThreads) bins[b] = 0;
  __syncthreads();
  for (int i = first(); i < kElements; i += kStep) {
    const int bin = in[i];
    const unsigned peers = __match_any_sync(kAll, bin);
    if (threadIdx.x % kLanes == __ffs(peers) - 1)
      atomicAdd(&bins[bin], __popc(peers));
  }
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += kThreads)
    atomicAdd(&out[b], bins[b]);
}

__global__ void of_floats(float* out, const int* in) {
  __shared__ float bins[kBins];
  for (int b = threadIdx.x; b < kBins; b += kThreads) bins[b] = 0;
  __syncthreads();
  for (int i = first(); i < kElements; i += kStep)
    atomicAdd(&bins[in[i]], 0.5f);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += kThreads)
    atomicAdd(&out[b], bins[b]);
}

template <class Count>
double total(void* out) {
  std::vector<Count> host(kBins);
  CHECK(cudaMemcpy(host.data(), out, kBins * sizeof(Count),
                   cudaMemcpyDeviceToHost));
  double sum = 0;
  for (const Count count : host) sum += count;
  return sum;
}

template <class Count>
void show(const char* name, void (*kernel)(Count*, const int*), const int* in) {
  Count* out = nullptr;
  CHECK(cudaMalloc(&out, kBins * sizeof(Count)));
  CHECK(cudaMemset(out, 0, kBins * sizeof(Count)));
  kernel<<<kBlocks, kThreads>>>(out, in);
  CHECK(cudaGetLastError());
  std::printf("%-12s %.0f in all\n", name, total<Count>(out));
  CHECK(cudaFree(out));
}

int main(int count, char** arguments) {
  const bool same = count > 1;  // every element is in the bin that is named
  std::vector<int> host(kElements);
  unsigned x = 1;
  for (int& bin : host) {
    x = x * 1664525 + 1013904223;
    bin = same ? std::atoi(arguments[1]) % kBins : x >> 24;
  }
  int* in = nullptr;
  CHECK(cudaMalloc(&in, kElements * sizeof(int)));
  CHECK(cudaMemcpy(in, host.data(), kElements * sizeof(int),
                   cudaMemcpyHostToDevice));
  show("in global", in_global, in);
  show("in shared", in_shared, in);
  show("result used", result_used, in);
  show("copy a warp", copy_a_warp, in);
  show("by match", by_match, in);
  show("of floats", of_floats, in);
  CHECK(cudaFree(in));
}
