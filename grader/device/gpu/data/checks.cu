// Kernels with known counts, and kernels that fail in known ways, for the tests on a GPU.
//
// compiled_checks.hpp compiles this file, each time anew:
//   nvcc -std=c++20 -lineinfo -arch=compute_90 -ptx checks.cu
//   nvcc -std=c++20 -lineinfo -arch=sm_90 -cubin checks.cu
#include <cassert>
#include <cstdio>

constexpr int kTile = 32;
__constant__ int factor;
__device__ int visits;

extern "C" {

__global__ void transpose_unpadded(float* out, const float* in, int n) {
  __shared__ float tile[kTile][kTile];
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x]; // line 18
  __syncthreads();
  const int row = blockIdx.x * kTile + threadIdx.y, column = blockIdx.y * kTile + threadIdx.x;
  out[row * n + column] = tile[threadIdx.x][threadIdx.y]; // line 21
}

__global__ void transpose_padded(float* out, const float* in, int n) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x]; // line 27
  __syncthreads();
  const int row = blockIdx.x * kTile + threadIdx.y, column = blockIdx.y * kTile + threadIdx.x;
  out[row * n + column] = tile[threadIdx.x][threadIdx.y]; // line 30
}

__global__ void sum_blocks(int* out, const int* in) { // 256 threads
  __shared__ int part[256];
  part[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x]; // line 35
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half]; // line 38
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0]; // line 41
}

__global__ void histogram(int* out, const int* in) { // 256 threads, values 0 to 31
  __shared__ int bins[32];
  if (threadIdx.x < 32) bins[threadIdx.x] = 0; // line 46
  __syncthreads();
  atomicAdd(&bins[in[threadIdx.x]], in[256 + threadIdx.x]); // line 48
  __syncthreads();
  if (threadIdx.x < 32) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]); // line 50
}

__global__ void scale(int* out, const int* in) {
  extern __shared__ int copy[];
  copy[threadIdx.x] = in[threadIdx.x];
  atomicAdd(&visits, 1);
  __syncthreads();
  out[threadIdx.x] = copy[threadIdx.x] * factor + visits * 0;
}

__global__ void write_at(int* out, long long index) {
  out[index] = 7;
}
__global__ void write_misaligned(char* out) {
  *reinterpret_cast<int*>(out + threadIdx.x + 1) = 7;
}
__global__ void fail_assert(const int* in) {
  assert(in[0] == 12345);
}
__global__ void trap_if(const int* in) {
  if (in[0] != 12345) __trap();
}
__global__ void never_ends(volatile int* in) {
  while (in[0] != 12345) {
  }
}
__global__ void speak(const int* in) {
  printf("the first is %d\n", in[0]);
}
__global__ void count_visits(int* out) {
  out[threadIdx.x] = atomicAdd(&visits, 1) == 0;
}

__global__ void transpose_sometimes(float* out, const float* in,
                                    int n) { // right seven times in eight
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  const bool lazy = x == 0 && y == 0 && (now >> 12) % 8 == 0;
  if (!lazy) out[x * n + y] = in[y * n + x];
}
}
