// Every atomic of CUDA C++, on shared, global and unknown memory.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void on_shared(int* out, unsigned long long* wide, float* reals) {
  __shared__ int a[64];
  __shared__ unsigned long long b[4];
  __shared__ float c[4];
  __shared__ double d[4];
  a[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&a[threadIdx.x & 3], 1);
  out[0] = atomicAdd(&a[4], 2);
  atomicSub(&a[5], 3);
  atomicMin(&a[5], out[1]);
  atomicMax((unsigned*)&a[6], 7u);
  atomicCAS(&a[7], 1, 2);
  atomicExch(&a[8], 3);
  atomicInc((unsigned*)&a[9], 7);
  atomicDec((unsigned*)&a[10], 9);
  atomicAnd(&a[11], 3);
  atomicOr(&a[12], 5);
  atomicXor(&a[13], 6);
  atomicAdd(&b[0], 1ull);
  atomicCAS(&b[1], 1ull, 2ull);
  atomicMax(&b[2], 3ull);
  atomicExch(&b[3], wide[9]);
  atomicAdd(&c[1], 1.5f);
  atomicExch(&c[2], 1.0f);
  atomicAdd(&d[1], 2.5);
  __syncthreads();
  wide[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x & 3];
  reals[threadIdx.x] = c[threadIdx.x & 3] + d[threadIdx.x & 3];
}

__global__ void on_global(int* a, unsigned long long* b, float* c, double* d, unsigned short* e) {
  atomicAdd(a + threadIdx.x, 1);
  a[1] = atomicAdd(a + 3, 4);
  atomicAdd_block(a + 5, 3);
  atomicAdd_system(a + 6, 3);
  atomicAdd(b, 3ull);
  atomicAdd(c, 1.0f);
  atomicAdd(d, 1.0);
  atomicCAS(e, (unsigned short)1, (unsigned short)2);
  __threadfence();
  __threadfence_block();
  __threadfence_system();
}

__global__ void on_either(int* out, int n) {
  __shared__ int shared[64];
  int* p = n ? shared : out;
  shared[threadIdx.x] = n;
  __syncthreads();
  p[threadIdx.x] += 1;
  atomicAdd(p + threadIdx.x * 2, 1);
  atomicAdd((float*)p + threadIdx.x * 2, 1.0f);
  atomicCAS(p + 3, 2, 3);
  __syncthreads();
  out[threadIdx.x] = shared[threadIdx.x];
}

__global__ void on_halves(__half2* a, __nv_bfloat162* b, __half* c) {
  __shared__ __half2 x[64];
  __shared__ __nv_bfloat162 y[64];
  __shared__ __half z[64];
  x[threadIdx.x] = a[0];
  y[threadIdx.x] = b[0];
  z[threadIdx.x] = c[0];
  __syncthreads();
  atomicAdd(&x[threadIdx.x ^ 1], a[threadIdx.x]);
  atomicAdd(&y[threadIdx.x ^ 1], b[threadIdx.x]);
  atomicAdd(&z[threadIdx.x ^ 1], c[threadIdx.x]);
  __syncthreads();
  a[threadIdx.x] = x[threadIdx.x];
  b[threadIdx.x] = y[threadIdx.x];
  c[threadIdx.x] = z[threadIdx.x];
}
