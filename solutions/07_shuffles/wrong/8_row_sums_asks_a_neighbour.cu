// wrong: uses: a neighbour adds up shared words, and hands its sum over by a
// shuffle
__global__ void k(float* out, const float* in, int rows, int cols) {
  __shared__ float part[8][32];
  const int l = threadIdx.x, w = threadIdx.y, r = blockIdx.x * 8 + w;
  float s = 0;
  if (r < rows)
    for (int c = l; c < cols; c += 32) s += in[(size_t)r * cols + c];
  part[w][l] = s;
  __syncthreads();
  if (l == 1) {
    s = 0;
    for (int i = 0; i < 32; ++i) s += part[w][i];
  }
  s = __shfl_sync(~0u, s, 1);
  if (l == 0 && r < rows) out[r] = s;
}
void row_sums(float* out, const float* in, int rows, int cols) {
  if (rows) k<<<(rows + 7) / 8, dim3(32, 8)>>>(out, in, rows, cols);
}
