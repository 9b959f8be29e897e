// control: has kernels and variables that only this file knows, by names that the compiler makes up
// against: 05_transpose/2_pad
// must: passed

static constexpr int kTile = 32;
static __constant__ int kRows;
static __device__ int columns;

namespace {

struct Plain {};
template <class Kind>
__device__ int height = 0;

// Through a tile with a padded row, by a template of a type without a name.
template <class Index>
__global__ void transpose_tile(float* out, const float* in, Index index) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[index(blockIdx.y * kTile + y, blockIdx.x * kTile + x, columns)];
  __syncthreads();
  out[index(blockIdx.x * kTile + y, blockIdx.y * kTile + x, kRows)] = tile[x][y];
}

__global__ void nothing() {
  height<Plain> = 1;
}

} // namespace

static __global__ void nothing_too() {}

void transpose(float* out, const float* in, int rows, int cols) {
  struct Index {
    __device__ int operator()(int row, int column, int width) const { return row * width + column; }
  };
  cudaMemcpyToSymbol(kRows, &rows, sizeof rows);
  cudaMemcpyToSymbol(columns, &cols, sizeof cols);
  nothing<<<1, 1>>>();
  nothing_too<<<1, 1>>>();
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, Index{});
}
