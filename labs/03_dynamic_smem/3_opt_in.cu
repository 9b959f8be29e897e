// 03_dynamic_smem/3_opt_in: a tile larger than 48 KiB
//
// Each of `tiles` tiles has side x side floats and becomes its transpose. A
// whole tile is in shared memory at once: 36 KiB for a side of 96, 65 for 128,
// 197 for 224. Beyond 48 KiB a launch is refused, unless the kernel has opted
// in to more with cudaFuncSetAttribute. That has a limit as well; the device
// tells it as cudaDevAttrMaxSharedMemoryPerBlockOptin, and the grader is some
// other device at times, which has less. For a tile beyond it use the second
// kernel, which is slow, and needs none: no CUDA call may fail.
//
//   ./course grade 03_dynamic_smem/3_opt_in    what is right, and what is not
//   ./course hint  03_dynamic_smem/3_opt_in    one nudge more each time

constexpr int kCols = 32, kRows = 16;  // threads of a block

//! [kernels]
__global__ void turn_in_shared(float* out, const float* in, int side) {
  extern __shared__ float tile[];
  const int pitch = side + 1;
  const int first = blockIdx.x * side * side;
  for (int y = threadIdx.y; y < side; y += kRows)
    for (int x = threadIdx.x; x < side; x += kCols)
      tile[y * pitch + x] = in[first + y * side + x];
  __syncthreads();
  for (int y = threadIdx.y; y < side; y += kRows)
    for (int x = threadIdx.x; x < side; x += kCols)
      out[first + y * side + x] = tile[x * pitch + y];
}

__global__ void turn_in_global(float* out, const float* in, int side) {
  const int first = blockIdx.x * side * side;
  for (int y = threadIdx.y; y < side; y += kRows)
    for (int x = threadIdx.x; x < side; x += kCols)
      out[first + y * side + x] = in[first + x * side + y];
}
//! [kernels]

//! [launch]
void turn_tiles(float* out, const float* in, int tiles, int side) {
  const dim3 block(kCols, kRows);
  const int bytes = side * (side + 1) * sizeof(float);
  // Your work begins here.
  // TODO: opt in to `bytes`; or launch turn_in_global where they are too many.
  // Your work ends here.
  turn_in_shared<<<tiles, block, bytes>>>(out, in, side);
}
//! [launch]
