// wrong: uses: each warp turns its own chunk: no ring, no barrier in memory
constexpr int kChunk = 128;
__global__ void reverse_chunks(float* out, const float* in, int n) {
  __shared__ float chunk[4][kChunk];
  const int lane = threadIdx.x % 32, w = threadIdx.x / 32;
  for (int c = blockIdx.x * 4 + w; c < n / kChunk; c += gridDim.x * 4) {
    for (int i = lane; i < kChunk; i += 32) chunk[w][i] = in[c * kChunk + i];
    __syncwarp();
    for (int i = lane; i < kChunk; i += 32)
      out[n - 1 - c * kChunk - i] = chunk[w][i];
    __syncwarp();
  }
}
void reverse(float* out, const float* in, int n) {
  if (n > 0) reverse_chunks<<<(n / kChunk + 127) / 128, 128>>>(out, in, n);
}
