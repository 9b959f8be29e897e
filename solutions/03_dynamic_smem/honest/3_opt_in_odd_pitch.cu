// honest: a side that is odd needs no padding, and so 241 fits

#include <cooperative_groups.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

__global__ void __launch_bounds__(1024)
    in_shared(float* __restrict__ out, const float* __restrict__ in, int side) {
  extern __shared__ float tile[];
  const auto block = cg::this_thread_block();
  const int pitch = side | 1, size = side * side;
  in += size_t(blockIdx.x) * size;
  out += size_t(blockIdx.x) * size;
  for (int y = threadIdx.y; y < side; y += blockDim.y)
    for (int x = threadIdx.x; x < side; x += 32)
      tile[y * pitch + x] = __ldg(in + y * side + x);
  block.sync();
  for (int y = threadIdx.y; y < side; y += blockDim.y)
    for (int x = threadIdx.x; x < side; x += 32)
      out[y * side + x] = tile[x * pitch + y];
}
__global__ void in_global(float* out, const float* in, int side) {
  const size_t first = size_t(blockIdx.x) * side * side;
  for (int y = threadIdx.y; y < side; y += blockDim.y)
    for (int x = threadIdx.x; x < side; x += 32)
      out[first + y * side + x] = in[first + x * side + y];
}
void turn_tiles(float* out, const float* in, int tiles, int side) {
  int most = 0;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  const size_t bytes = size_t(side) * (side | 1) * sizeof(float);
  const dim3 block(32, 32);
  if (bytes <= size_t(most)) {
    static const cudaError_t once = cudaFuncSetAttribute(
        in_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
    (void)once;
    cudaFuncSetAttribute(in_shared,
                         cudaFuncAttributePreferredSharedMemoryCarveout,
                         cudaSharedmemCarveoutMaxShared);
    in_shared<<<tiles, block, bytes>>>(out, in, side);
  } else {
    in_global<<<tiles, block>>>(out, in, side);
  }
}
