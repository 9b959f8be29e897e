// Accesses that are wrong, or in unusual places.
#include <cassert>
#include <cstdio>
__constant__ float table[32];
__device__ int module_counter = 5;
__global__ void past_the_end(float* out, const float* in) {
  out[threadIdx.x + 1] = in[threadIdx.x];
}
__global__ void before_the_start(float* out, const float* in) {
  out[threadIdx.x] = in[(int)threadIdx.x - 1];
}
__global__ void misaligned(float* out, const char* in) {
  out[threadIdx.x] = *(const float*)(in + 2 + 4 * threadIdx.x);
}
__global__ void shared_past_the_end(int* out) {
  __shared__ int first[32], second[32];
  second[threadIdx.x] = 1;
  first[threadIdx.x + 1] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = first[threadIdx.x] + second[threadIdx.x];
}
__global__ void copies(float* out, const float* in) {
  out[threadIdx.x] = in[threadIdx.x];
}
__global__ void constants(float* out, int stride) {
  out[threadIdx.x] = table[threadIdx.x * stride % 32];
}
__global__ void counts_module(int* out) {
  atomicAdd(&module_counter, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = module_counter;
}
__global__ void local_array(int* out, const int* in, int n) {
  int a[16];
  for (int i = 0; i < 16; ++i) a[i] = in[threadIdx.x] * i;
  out[threadIdx.x] = a[in[threadIdx.x] % n];
}
__global__ void through_generic(int* out, int* global, int which) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int* p = (threadIdx.x + which) % 2 ? s : global;
  out[threadIdx.x] = p[threadIdx.x];
}
__global__ void adds_through_generic(int* out, int* global, int which) {
  __shared__ int s[1024];
  s[32 * threadIdx.x] = 0;
  __syncthreads();
  int* p = (int)threadIdx.x < which ? s : global;
  atomicAdd(p + 32 * threadIdx.x, 1);
  __syncthreads();
  out[threadIdx.x] = s[32 * threadIdx.x];
}
__global__ void prints(int n) {
  if (threadIdx.x < 2)
    printf("block %d thread %d: %5.2f %s\n", blockIdx.x, threadIdx.x, n * 0.5, "ok");
}
__global__ void asserts(int n) {
  assert(threadIdx.x < n);
}
__global__ void traps(int* out) {
  if (out[threadIdx.x] == 3) __trap();
}
__global__ void prints_to_width(const char* nothing) {
  printf("[%*d|%-*u|%.*f|%*.*f|%.*s|%p]\n", 5, 42, 4, 7u, 2, 3.14159, -8, 1, 2.25, -1, "all",
         nothing);
}
