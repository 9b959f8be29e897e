// attack: has a variable of a hundred gigabytes
// against: 05_transpose/2_pad
// must: did_not_compile

__device__ char large[100ull << 30];
constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  large[threadIdx.x * (1ull << 26)] = 1;
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
