// attack: adds in half precision
// against: 04_reduction/1_sequential
// must: failed output

#include <cuda_fp16.h>

__global__ void block_sums(float* out, const float* in, int n) {
  __shared__ __half part[256];
  const int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
  part[tid] = i < n ? in[i] : 0.f;
  __syncthreads();
  for (int apart = 128; apart > 0; apart /= 2) {
    if (tid < apart) part[tid] = part[tid] + part[tid + apart];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}

void sums(float* out, const float* in, int n) {
  if (n > 0) block_sums<<<(n + 255) / 256, 256>>>(out, in, n);
}
