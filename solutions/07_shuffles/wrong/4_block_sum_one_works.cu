// wrong: uses: one warp adds up 512 elements, and another writes the sum
__global__ void k(float* out, const float* in, int n) {
  __shared__ float part;
  const int l = threadIdx.x % 32, w = threadIdx.x / 32;
  const int first = blockIdx.x * 512;
  if (w == 0) {
    float s = 0;
    for (int e = 0; e < 512; e += 32)
      s += first + e + l < n ? in[first + e + l] : 0.f;
    for (int d = 16; d; d /= 2) s += __shfl_down_sync(~0u, s, d);
    for (int d = 16; d; d /= 2) s += 0 * __shfl_down_sync(~0u, s, d);
    if (l == 0) part = s;
  }
  __syncthreads();
  if (threadIdx.x == 32) out[blockIdx.x] = part;
}
void block_sums(float* out, const float* in, int n) {
  if (n) k<<<(n + 511) / 512, 64>>>(out, in, n);
}
