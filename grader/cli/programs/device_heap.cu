// new, delete, malloc and free in kernels: a list that each thread builds and takes apart, an array
// that one kernel leaves for the next, and a heap that is full.
// WRONG=1: memory is freed twice.
// WRONG=2: a node is read after it was deleted.
// WRONG=3: an array is written past its end.
// WRONG=4: memory of malloc is read before it is written.
#include <cassert>
#include <cstdio>
#include <vector>

struct Node {
  int value;
  Node* next;
};

__global__ void lists(int* sums, int n) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= n) return;
  Node* first = nullptr;
  for (int i = 0; i < 5; ++i) first = new Node{thread * i, first};
  assert(first);
  int sum = 0;
  while (first) {
    Node* next = first->next;
    sum += first->value;
    delete first;
#if WRONG == 2
    sum += first->value;
#endif
    first = next;
  }
  sums[thread] = sum;
}

__device__ int* kept[64];
__global__ void leaves() {
  int* mine = static_cast<int*>(malloc(8 * sizeof(int)));
#if WRONG != 4
  for (int i = 0; i < 8; ++i) mine[i] = threadIdx.x + i;
#endif
#if WRONG == 3
  mine[8] = 1;
#endif
  kept[threadIdx.x] = mine;
}
__global__ void takes(int* out) {
  int* mine = kept[threadIdx.x];
  out[threadIdx.x] = mine[7];
  free(mine);
#if WRONG == 1
  if (threadIdx.x == 3) free(mine);
#endif
}
__global__ void too_much(int* refused) {
  void* all = malloc(size_t{1} << 40);
  *refused = all == nullptr;
  free(all);
}

int main() {
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20);
  size_t limit = 0;
  cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
  const int n = 1'000;
  int* device = nullptr;
  cudaMalloc(&device, n * sizeof(int));
  lists<<<(n + 127) / 128, 128>>>(device, n);
  std::vector<int> sums(n);
  cudaMemcpy(sums.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = limit < (32 << 20);
  for (int i = 0; i < n; ++i) wrong += sums[i] != 10 * i;

  leaves<<<1, 64>>>();
  takes<<<1, 64>>>(device);
  cudaMemcpy(sums.data(), device, 64 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i) wrong += sums[i] != i + 7;
  too_much<<<1, 1>>>(device);
  int refused = 0;
  cudaMemcpy(&refused, device, sizeof(int), cudaMemcpyDeviceToHost);
  wrong += !refused;
  const cudaError_t error = cudaGetLastError();
  printf("device heap: wrong %d, %s\n", wrong, cudaGetErrorName(error));
  cudaFree(device);
  return wrong != 0 || error != cudaSuccess;
}
