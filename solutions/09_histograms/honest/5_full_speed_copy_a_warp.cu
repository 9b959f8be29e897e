// honest: a copy for each warp

__global__ void count(int* out, const int* in, int n) {
  __shared__ int bins[8][256];
  const int tid = threadIdx.x, warp = tid / 32;
  for (int w = 0; w < 8; ++w) bins[w][tid] = 0;
  __syncthreads();
  const int all = gridDim.x * 256, first = blockIdx.x * 256 + tid;
#pragma unroll 2
  for (int i = first; i < n / 4; i += all) {
    const int4 v = __ldcs(reinterpret_cast<const int4*>(in) + i);
    atomicAdd(&bins[warp][v.x], 1);
    atomicAdd(&bins[warp][v.y], 1);
    atomicAdd(&bins[warp][v.z], 1);
    atomicAdd(&bins[warp][v.w], 1);
  }
  if (first < n % 4) atomicAdd(&bins[warp][in[n / 4 * 4 + first]], 1);
  __syncthreads();
  int sum = 0;
  for (int w = 0; w < 8; ++w) sum += bins[w][tid];
  if (sum) atomicAdd(&out[tid], sum);
}

void histogram(int* out, const int* in, int n) {
  cudaMemset(out, 0, 1024);
  const int needed = n / 1024 + 1;
  const int blocks = needed < 1056 ? needed : 1056;
  if (n > 0) count<<<blocks, 256>>>(out, in, n);
}
