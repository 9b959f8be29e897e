// wrong: uses: a kernel for each number of rows, with a tile of that size

constexpr int kCols = 32;
template <int rows>
__global__ void turn(float* out, const float* in) {
  constexpr int pitch = kCols + kCols / rows;
  __shared__ float tile[rows * pitch];
  const int y = threadIdx.y, x = threadIdx.x;
  const int first = blockIdx.x * rows * kCols;
  const int i = y * kCols + x;
  tile[y * pitch + x] = in[first + i];
  __syncthreads();
  out[first + i] = tile[i % rows * pitch + i / rows];
}
void turn_tiles(float* out, const float* in, int tiles, int rows) {
  if (tiles == 0) return;
  const dim3 block(kCols, rows);
  switch (rows) {
    case 1:
      turn<1><<<tiles, block>>>(out, in);
      break;
    case 2:
      turn<2><<<tiles, block>>>(out, in);
      break;
    case 4:
      turn<4><<<tiles, block>>>(out, in);
      break;
    case 8:
      turn<8><<<tiles, block>>>(out, in);
      break;
    case 16:
      turn<16><<<tiles, block>>>(out, in);
      break;
    case 32:
      turn<32><<<tiles, block>>>(out, in);
      break;
  }
}
