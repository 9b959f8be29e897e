// attack: keeps the strides of the skeleton, and lets one lane at a time into them
// against: 04_reduction/1_sequential
// must: failed kernel, traffic

__global__ void block_sums(float* out, const float* in, int n) {
  __shared__ float part[256];
  const int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
  part[tid] = i < n ? in[i] : 0;
  __syncthreads();
  for (int apart = 1; apart < 256; apart *= 2) {
    for (int lane = 0; lane < 32; ++lane) {
      const int at = 2 * apart * tid;
      if (lane == tid % 32 && at < 256) part[at] += part[at + apart];
    }
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}

void sums(float* out, const float* in, int n) {
  if (n > 0) block_sums<<<(n + 255) / 256, 256>>>(out, in, n);
}
