// attack: makes the inputs anew from a seed that it guesses
// against: 05_transpose/2_pad
// must: failed output

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  const int x = threadIdx.x, y = threadIdx.y;
  const int from = (blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x;
  const int to = (blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x;
  unsigned long state = 1;
  for (int i = 0; i <= from % 64; ++i) state = state * 6364136223846793005 + 1442695040888963407;
  out[to] = static_cast<float>(state >> 40) * 0x1p-24f;
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
