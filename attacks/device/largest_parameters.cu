// attack: passes 32,000 bytes of parameters, and reads behind their end
// against: 05_transpose/2_pad
// must: failed memory
// must: failed kernel
// must: failed output, memory
// must: failed launch
// must: not_measurable
// must: did_not_compile

struct Large {
  float words[8000];
};
__global__ void sum(const __grid_constant__ Large large, float* out, int n) {
  float all = 0;
  for (int i = 0; i < n; ++i) all += large.words[i];
  out[0] = all;
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
  static Large large{};
  sum<<<1, 1>>>(large, out, 16000);
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
