// attack: has device code in every other section that NVIDIA's tools look at
// against: 05_transpose/2_pad
// must: passed
// must: did_not_compile

asm(".section __nv_relfatbin, \"a\"\n.align 8\n.quad 0x00100001ba55ed50, 96\n.zero 96\n"
    ".section .nvFatBinSegment, \"aw\"\n.align 8\n.long 0x466243b1, 1\n.quad 0, 0\n"
    ".section __nv_module_id, \"a\"\n.ascii \"__NV_MODULE_ID\"\n.text");
constexpr int kTile = 32;

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
