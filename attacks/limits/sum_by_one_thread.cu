// attack: lets one thread of each block add
// against: 04_reduction/1_sequential
// must: failed coalescing, traffic, uses

__global__ void block_sums(float* out, const float* in, int n) {
  if (threadIdx.x != 0) return;
  float sum = 0;
  for (int i = blockIdx.x * 256; i < n && i < blockIdx.x * 256 + 256; ++i) sum += in[i];
  out[blockIdx.x] = sum;
}

void sums(float* out, const float* in, int n) {
  if (n > 0) block_sums<<<(n + 255) / 256, 256>>>(out, in, n);
}
