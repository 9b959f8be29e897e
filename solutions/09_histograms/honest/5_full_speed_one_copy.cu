// honest: one copy a block, and grids that fill the device

__global__ void count(int* out, const int* in, int n) {
  __shared__ int bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  const int4* const fours = reinterpret_cast<const int4*>(in);
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n / 4;
       i += gridDim.x * 256) {
    const int4 v = fours[i];
    atomicAdd(&bins[v.x], 1), atomicAdd(&bins[v.y], 1);
    atomicAdd(&bins[v.z], 1), atomicAdd(&bins[v.w], 1);
  }
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x < n % 4) {
    const int last = in[n - 1 - threadIdx.x];
    atomicAdd(&bins[last], 1);
  }
  __syncthreads();
  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

void histogram(int* out, const int* in, int n) {
  cudaMemset(out, 0, 256 * sizeof(int));
  count<<<132 * 8, 256>>>(out, in, n);
}
