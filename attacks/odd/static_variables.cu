// control: counts its calls in static variables, and prints the count
// against: 05_transpose/2_pad
// must: passed

#include <cstdio>

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

namespace {
int calls = 0;
struct Counter {
  ~Counter() { std::fprintf(stderr, "%d calls\n", calls); }
} counter;
} // namespace

void transpose(float* out, const float* in, int rows, int cols) {
  static const dim3 block(kTile, kTile);
  ++calls;
  transpose_tile<<<dim3(cols / kTile, rows / kTile), block>>>(out, in, rows, cols);
}
