// attack: loads matrices from shared memory that nobody wrote
// against: 05_transpose/2_pad
// must: failed memory, traffic: before it is written

constexpr int kTile = 32;

__shared__ __align__(16) unsigned short never[8][8];

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  unsigned got;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(got)
               : "r"(unsigned(__cvta_generic_to_shared(&never[x & 7][0]))));
  if (got == 12345) tile[x][y] = 0;
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
