// attack: has lines that become directives when host code is compiled a second time
// against: 05_transpose/2_pad
// must: passed
// must: did_not_compile
// never: Rows one word longer
// never: root:

#define HASH #
#define AGAIN(x) x
// clang-format off
HASH include "@ROOT@/solutions/05_transpose/2_pad.cu"
AGAIN(HASH include "/etc/passwd")
constexpr int kTile = 32;
// clang-format on

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
