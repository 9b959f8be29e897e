// control: is a template of its tile and its type
// against: 05_transpose/2_pad
// must: passed

template <class T, int kSide>
struct Tile {
  T word[kSide][kSide + 1];
  __device__ T& at(int row, int col) { return word[row][col]; }
};

template <class T, int kSide>
__global__ void turn(T* out, const T* in, int rows, int cols) {
  __shared__ Tile<T, kSide> tile;
  const int x = threadIdx.x, y = threadIdx.y;
  tile.at(y, x) = in[(blockIdx.y * kSide + y) * cols + blockIdx.x * kSide + x];
  __syncthreads();
  out[(blockIdx.x * kSide + y) * rows + blockIdx.y * kSide + x] = tile.at(x, y);
}

void transpose(float* out, const float* in, int rows, int cols) {
  turn<float, 32><<<dim3(cols / 32, rows / 32), dim3(32, 32)>>>(out, in, rows, cols);
}
