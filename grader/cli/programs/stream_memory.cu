// Memory that is allocated and freed in the order of a stream, from the default pool and from one
// of the program's own, and used in another stream behind an event.
// Its twins, by the argument: 1: another stream uses it without waiting for its allocation.
// 2: it is used in its stream after it was freed there.
// 3: it is freed while another stream may still use it.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void fill(int* data, int n, int first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = first + i;
}
__global__ void add(int* to, const int* from, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] += from[i];
}

int main(int argc, char** argv) {
  const int twin = argc > 1 ? atoi(argv[1]) : 0;
  const int n = 5'000, blocks = (n + 255) / 256;
  const size_t bytes = n * sizeof(int);
  cudaStream_t first, second;
  cudaEvent_t made, used;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEventCreateWithFlags(&made, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&used, cudaEventDisableTiming);

  cudaMemPool_t pool = nullptr, own = nullptr;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  std::uint64_t keep = UINT64_MAX, threshold = 0, in_use = 0;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPoolCreate(&own, &properties);

  int *a = nullptr, *b = nullptr;
  cudaMallocAsync(&a, bytes, first);
  cudaMallocFromPoolAsync(&b, bytes, own, first);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &in_use);
  fill<<<blocks, 256, 0, first>>>(a, n, 1);
  if (twin != 1) {
    cudaEventRecord(made, first);
    cudaStreamWaitEvent(second, made, 0);
  }
  fill<<<blocks, 256, 0, second>>>(b, n, 10);
  add<<<blocks, 256, 0, second>>>(b, a, n);
  std::vector<int> back(n);
  int* pinned = nullptr;
  cudaMallocHost(&pinned, bytes);
  cudaMemcpyAsync(pinned, b, bytes, cudaMemcpyDeviceToHost, second);
  if (twin != 3) {
    cudaEventRecord(used, second);
    cudaStreamWaitEvent(first, used, 0);
  }
  cudaFreeAsync(a, first);
  cudaFreeAsync(b, first);
  if (twin == 2) fill<<<blocks, 256, 0, first>>>(a, n, 1);
  cudaStreamSynchronize(first);
  cudaStreamSynchronize(second);

  long sum = 0;
  int wrong = threshold != keep || in_use < bytes;
  for (int i = 0; i < n; ++i) {
    wrong += pinned[i] != 11 + 2 * i;
    sum += pinned[i];
  }
  printf("stream memory: sum %ld, wrong %d\n", sum, wrong);
  cudaFreeHost(pinned);
  cudaMemPoolDestroy(own);
  return wrong != 0 || cudaGetLastError() != cudaSuccess;
}
