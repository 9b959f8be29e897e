// Variables of the device that are filled from pinned, managed and device memory, and read back to
// where they came from.
// Its twin, by the argument: 1: a kernel of another stream uses the constants without waiting.
#include <cstdio>
#include <cstdlib>

constexpr int kCount = 1'000;
__constant__ int factors[kCount];
__device__ int offsets[kCount];

__global__ void apply(int* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kCount) values[i] = values[i] * factors[i] + offsets[i];
}
__global__ void count(int* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kCount) values[i] = i;
}

int main(int argc, char** argv) {
  const int twin = argc > 1 ? atoi(argv[1]) : 0;
  const size_t bytes = kCount * sizeof(int);
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  int *pinned = nullptr, *managed = nullptr, *device = nullptr;
  cudaMallocHost(&pinned, bytes);
  cudaMallocManaged(&managed, bytes);
  cudaMalloc(&device, bytes);
  int wrong = 0;
  const auto check = [&](cudaError_t status) { wrong += status != cudaSuccess; };

  for (int i = 0; i < kCount; ++i) pinned[i] = i % 7;
  check(cudaMemcpyToSymbolAsync(factors, pinned, bytes, 0, cudaMemcpyHostToDevice, first));
  count<<<4, 256, 0, first>>>(device);
  check(cudaMemcpyToSymbolAsync(offsets, device, bytes, 0, cudaMemcpyDeviceToDevice, first));
  if (twin != 1) check(cudaStreamSynchronize(first));
  apply<<<4, 256, 0, second>>>(device); // i * (i % 7) + i
  check(cudaMemcpyAsync(pinned, device, bytes, cudaMemcpyDeviceToHost, second));
  check(cudaDeviceSynchronize());
  for (int i = 0; i < kCount; ++i) wrong += pinned[i] != i * (i % 7) + i;

  check(cudaMemcpyFromSymbol(managed, factors, bytes, 0, cudaMemcpyDefault));
  for (int i = 0; i < kCount; ++i) wrong += managed[i]++ != i % 7;
  check(cudaMemcpyToSymbol(factors, managed, bytes, 0, cudaMemcpyDefault));
  check(cudaMemcpyFromSymbol(device, factors, bytes / 2, bytes / 2, cudaMemcpyDeviceToDevice));
  check(cudaMemcpyFromSymbolAsync(pinned, offsets, bytes, 0, cudaMemcpyDeviceToHost, first));
  check(cudaStreamSynchronize(first));
  for (int i = 0; i < kCount; ++i) wrong += pinned[i] != i;
  check(cudaMemcpy(pinned, device, bytes / 2, cudaMemcpyDeviceToHost));
  for (int i = 0; i < kCount / 2; ++i) wrong += pinned[i] != (i + kCount / 2) % 7 + 1;
  std::printf("symbols: wrong %d\n", wrong);
  return wrong != 0;
}
