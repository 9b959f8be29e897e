// attack: keeps the tile in local memory, a thread a row
// against: 05_transpose/2_pad
// must: failed coalescing, traffic

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  const int lane = threadIdx.x;
  volatile float row[kTile];
  for (int c = 0; c < kTile; ++c)
    row[c] = in[(blockIdx.y * kTile + lane) * cols + blockIdx.x * kTile + c];
  for (int c = 0; c < kTile; ++c)
    out[(blockIdx.x * kTile + c) * rows + blockIdx.y * kTile + lane] = row[c];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), kTile>>>(out, in, rows, cols);
}
