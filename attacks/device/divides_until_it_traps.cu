// attack: divides what makes a CPU stop: the smallest number by -1, and all by zero
// against: 05_transpose/2_pad
// must: passed

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  volatile int zero = x - x, small = -2147483647 - 1;
  volatile long long wide_zero = zero, wide_small = -9223372036854775807 - 1;
  const int minus = zero - 1;
  long long sum = small / minus + small % minus + x / zero + x % zero;
  sum += wide_small / minus + wide_small % minus + x / wide_zero + x % wide_zero;
  sum += static_cast<unsigned>(x) / static_cast<unsigned>(zero);
  sum += (1 << (small + 63)) + (1ll << (small + 127)) + static_cast<int>(1.0f / zero);
  sum += static_cast<long long>(0.0 / zero) + static_cast<unsigned char>(-1e30f / (zero + 1));
  if (sum == 12345) tile[x][y] = sum;
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
