// honest: counters of 16 bits, and half of the passes

#include <cuda_runtime.h>

#include <algorithm>
// Two counters of 16 bits in a word, and so half of the passes. A block has
// fewer than 65,536 elements, so none overflows into its neighbour.
constexpr int kThreads = 1024, kElements = 65532;
__global__ void __launch_bounds__(kThreads)
    count(int* out, const int* in, int n, int from, int size) {
  extern __shared__ unsigned pairs[];
  const int words = (size + 1) / 2;
  for (int w = threadIdx.x; w < words; w += kThreads) pairs[w] = 0;
  __syncthreads();
  const long long first = 1ll * blockIdx.x * kElements;
  const int end = int(min(first + kElements, (long long)n));
  for (int i = int(first) + threadIdx.x; i < end; i += kThreads) {
    const unsigned bin = in[i] - from;
    if (bin < unsigned(size))
      atomicAdd(&pairs[bin >> 1], bin & 1 ? 0x10000u : 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < size; b += kThreads) {
    const int mine = pairs[b / 2] >> b % 2 * 16 & 0xffff;
    if (mine > 0) atomicAdd(&out[from + b], mine);
  }
}
void histogram(int* out, const int* in, int n, int bins) {
  cudaMemset(out, 0, bins * sizeof(int));
  if (n == 0) return;
  int most = 0;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  cudaFuncSetAttribute(count, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       most);
  const int fit = most / int(sizeof(unsigned)) * 2,
            blocks = (n + kElements - 1) / kElements;
  for (int from = 0; from < bins; from += fit) {
    const int size = std::min(fit, bins - from);
    count<<<blocks, kThreads, (size + 1) / 2 * sizeof(unsigned)>>>(out, in, n,
                                                                   from, size);
  }
}
