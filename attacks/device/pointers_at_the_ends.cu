// attack: reads and writes at both ends of all addresses
// against: 05_transpose/2_pad
// must: failed memory: out of bounds

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  volatile unsigned long long last = ~0ull;
  float4 got = *reinterpret_cast<float4*>(last - 15);
  got.x += *reinterpret_cast<float*>(last - 3) + *reinterpret_cast<float*>(last - last + 4);
  asm volatile("st.shared.v4.f32 [%0], {%1, %1, %1, %1};" ::"r"(0xfffffff0u), "f"(got.x)
               : "memory");
  asm volatile("ld.local.f32 %0, [%1];" : "=f"(got.x) : "r"(0xfffffffcu));
  if (got.x == 12345) tile[x][y] = 0;
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
