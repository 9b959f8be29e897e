// attack: writes line tables of its own into the object file
// against: 05_transpose/2_pad
// must: failed traffic, conflicts: on line

constexpr int kTile = 32;

asm(".section .debug_line,\"\",@progbits\n.fill 64, 1, 0xff\n.previous");
asm(".section .nv_fatbin_lines,\"a\",@progbits\n.fill 64, 1, 0xff\n.previous");

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  float* words = &tile[0][0];
  words[y + kTile * x] = words[y + kTile * x] + 0;
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
