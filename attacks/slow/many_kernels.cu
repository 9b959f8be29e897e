// attack: has two thousand kernels, and asks for each of them by name
// against: 05_transpose/2_pad
// must: passed
// must: timed_out
// must: failed launch
// must: did_not_compile
// must: not_measurable
// seconds: 150

#include <utility>

template <int N>
__global__ void nothing(float* out) {
  if (out == nullptr) out[N] = N;
}
template <int... N>
void ask(std::integer_sequence<int, N...>) {
  cudaFuncAttributes attributes;
  (cudaFuncGetAttributes(&attributes, nothing<N>), ...);
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
  ask(std::make_integer_sequence<int, 2000>());
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
