// control: loads and stores shared memory by inline PTX
// against: 05_transpose/2_pad
// must: passed

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const unsigned store = __cvta_generic_to_shared(&tile[y][x]);
  const unsigned load = __cvta_generic_to_shared(&tile[x][y]);
  float value = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(store), "f"(value) : "memory");
  __syncthreads();
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(load) : "memory");
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = value;
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
