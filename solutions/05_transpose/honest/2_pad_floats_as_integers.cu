// honest: moves the bits of floats, through a function that is not inlined and
// a struct

constexpr int kTile = 32;

struct Tile {
  unsigned bits[kTile * kTile + kTile];
  __device__ __noinline__ void put(int row, int col, float value) {
    bits[row * (kTile + 1) + col] = __float_as_uint(value);
  }
  __device__ __noinline__ float get(int row, int col) const {
    return __uint_as_float(bits[row * (kTile + 1) + col]);
  }
};

__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  __shared__ Tile tile;
  const int x = threadIdx.x, y = threadIdx.y;
  tile.put(y, x, in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x]);
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] =
      tile.get(x, y);
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(
      out, in, rows, cols);
}
