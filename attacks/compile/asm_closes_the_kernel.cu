// attack: closes its kernel in inline PTX and begins another
// against: 05_transpose/2_pad
// must: did_not_compile
// must: passed
// must: failed output
// must: not_measurable

__global__ void hidden(float* out) {
  asm volatile("ret; } .visible .entry injected() { .reg .b32 a; mov.b32 a, 1; ");
  out[0] = 1;
}
constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
