// new, delete, malloc and free in kernels: a list that each thread builds and takes apart, an array
// that one kernel leaves for the next, and a heap that is full.
// Its twins, by the argument: 1: memory is freed twice.
// 2: a node is read after it was deleted.
// 3: an array is written past its end.
// 4: memory of malloc is read before it is written.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Node {
  int value;
  Node* next;
};

__global__ void lists(int* sums, int n, int twin) {
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
    if (twin == 2) sum += first->value;
    first = next;
  }
  sums[thread] = sum;
}

__device__ int* kept[64];
__global__ void leaves(int twin) {
  int* mine = static_cast<int*>(malloc(8 * sizeof(int)));
  for (int i = 0; i < 8 && twin != 4; ++i) mine[i] = threadIdx.x + i;
  if (twin == 3) mine[8] = 1;
  kept[threadIdx.x] = mine;
}
__global__ void takes(int* out, int twin) {
  int* mine = kept[threadIdx.x];
  out[threadIdx.x] = mine[7];
  free(mine);
  if (twin == 1 && threadIdx.x == 3) free(mine);
}
__global__ void too_much(int* refused) {
  void* all = malloc(size_t{1} << 40);
  *refused = all == nullptr;
  free(all);
}

int main(int argc, char** argv) {
  const int twin = argc > 1 ? atoi(argv[1]) : 0;
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20);
  size_t limit = 0;
  cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
  const int n = 1'000;
  int* device = nullptr;
  cudaMalloc(&device, n * sizeof(int));
  lists<<<(n + 127) / 128, 128>>>(device, n, twin);
  std::vector<int> sums(n);
  cudaMemcpy(sums.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = limit < (32 << 20);
  for (int i = 0; i < n; ++i) wrong += sums[i] != 10 * i;

  leaves<<<1, 64>>>(twin);
  takes<<<1, 64>>>(device, twin);
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
