// attack: keeps the strides of the skeleton, and reads by pointers to any kind of memory
// against: 05_transpose/2_pad
// must: failed conflicts

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  // Nobody but the device knows whether this is global or shared memory.
  const float* from = rows > 0 ? &tile[x][y] : in;
  float got;
  asm volatile("ld.f32 %0, [%1];" : "=f"(got) : "l"(from) : "memory");
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = got;
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
