// honest: assembly with a comment of two lines, which moves the lines of all
// that follows

__global__ void turn(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[32][33];
  const int x = threadIdx.x, y = threadIdx.y;
  const float* const from =
      in + (blockIdx.y * 32 + y) * cols + blockIdx.x * 32 + x;
  float value;
  asm volatile(R"(
    /* through the cache
       for what nobody writes */
    ld.global.nc.f32 %0, [%1];
  )"
               : "=f"(value)
               : "l"(from));
  tile[y][x] = value;
  __syncthreads();
  out[(blockIdx.x * 32 + y) * rows + blockIdx.y * 32 + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  turn<<<dim3(cols / 32, rows / 32), dim3(32, 32)>>>(out, in, rows, cols);
}
