// A halo by two ways: sums of 17 neighbouring numbers, whose edges a block
// loads from global memory, or from the shared memory of its neighbours in a
// cluster of eight.
//
//   ./course run labs/11_async_memory/demo/halo.cu
//   nvcc -cudart shared -arch=native halo.cu && ./a.out
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

#define CHECK(call)                                                      \
  do {                                                                   \
    const cudaError_t error = call;                                      \
    if (error != cudaSuccess) {                                          \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
                   cudaGetErrorString(error));                           \
      std::exit(1);                                                      \
    }                                                                    \
  } while (0)

constexpr int kThreads = 256, kBlocks = 8, kCount = kThreads * kBlocks;
constexpr int kRadius = 8, kWide = kThreads + 2 * kRadius;

__device__ int sum_around(const int* wide) {
  int sum = 0;
  for (int i = 0; i <= 2 * kRadius; ++i) sum += wide[threadIdx.x + i];
  return sum;
}

// Every block loads its edges, which its neighbours load as well.
__global__ void from_global(int* out, const int* in) {
  __shared__ int wide[kWide];
  const int first = blockIdx.x * kThreads - kRadius;
  for (int i = threadIdx.x; i < kWide; i += kThreads) {
    const int at = first + i;
    wide[i] = at >= 0 && at < kCount ? in[at] : 0;
  }
  __syncthreads();
  out[blockIdx.x * kThreads + threadIdx.x] = sum_around(wide);
}

// Every number is loaded once: the edges are in the neighbours' tiles.
__global__ void __cluster_dims__(kBlocks)
    from_neighbours(int* out, const int* in) {
  __shared__ int wide[kWide];
  const auto cluster = cg::this_cluster();
  const int rank = cluster.block_rank(), t = threadIdx.x;
  wide[kRadius + t] = in[blockIdx.x * kThreads + t];
  cluster.sync();  // the neighbours have begun, and their tiles are there
  if (t < 2 * kRadius) {
    const bool left = t < kRadius;
    const int other = left ? rank - 1 : rank + 1;
    const int from = left ? kThreads + t : t;  // its last ones, or first ones
    const int to = left ? t : kThreads + t;
    wide[to] = other >= 0 && other < kBlocks
                   ? cluster.map_shared_rank(wide, other)[from]
                   : 0;
  }
  cluster.sync();  // nobody ends while others may still read
  out[blockIdx.x * kThreads + t] = sum_around(wide);
}

int main() {
  std::vector<int> in(kCount), out(kCount);
  for (int i = 0; i < kCount; ++i) in[i] = i * i % 1009;
  int *device_in, *device_out;
  CHECK(cudaMalloc(&device_in, kCount * sizeof(int)));
  CHECK(cudaMalloc(&device_out, kCount * sizeof(int)));
  CHECK(cudaMemcpy(device_in, in.data(), kCount * sizeof(int),
                   cudaMemcpyHostToDevice));
  int wrong = 0;
  for (const bool by_neighbours : {false, true}) {
    const auto kernel = by_neighbours ? from_neighbours : from_global;
    kernel<<<kBlocks, kThreads>>>(device_out, device_in);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), device_out, kCount * sizeof(int),
                     cudaMemcpyDeviceToHost));
    for (int i = 0; i < kCount; ++i) {
      int sum = 0;
      for (int at = i - kRadius; at <= i + kRadius; ++at)
        if (at >= 0 && at < kCount) sum += in[at];
      wrong += out[i] != sum;
    }
  }
  std::printf("%d of %d sums are wrong\n", wrong, 2 * kCount);
  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
  return wrong ? 1 : 0;
}
