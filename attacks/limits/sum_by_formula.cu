// attack: writes the sum of 1 to n, whatever the numbers
// against: 04_reduction/1_sequential
// must: failed output

__global__ void block_sums(float* out, const float* in, int n) {
  if (threadIdx.x == 0) out[blockIdx.x] = 256.f * (n + 1) / 2 + in[0] * 0;
}

void sums(float* out, const float* in, int n) {
  if (n > 0) block_sums<<<(n + 255) / 256, 256>>>(out, in, n);
}
