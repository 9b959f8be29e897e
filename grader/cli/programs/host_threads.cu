// Threads of the host, each with a stream, an allocation and pinned memory of its own: one fills
// and reads its memory while launches of the others are under way. Its twin, by the argument: 1: a
// thread reads what it copies back without waiting for its stream.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

__global__ void advance(int* values, int step, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = 2 * values[i] + step;
}

int main(int argc, char** argv) {
  const int twin = argc > 1 ? atoi(argv[1]) : 0;
  const int n = 4'096, rounds = 25;
  std::atomic<int> wrong{0};
  const auto work = [&](int number) {
    cudaSetDevice(0);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    int *host = nullptr, *device = nullptr;
    cudaMallocHost(&host, n * sizeof(int));
    cudaMallocAsync(&device, n * sizeof(int), stream);
    for (int round = 0; round < rounds; ++round) {
      for (int i = 0; i < n; ++i) host[i] = i + round;
      cudaMemcpyAsync(device, host, n * sizeof(int), cudaMemcpyHostToDevice, stream);
      for (int k = 0; k < 3; ++k) advance<<<n / 256, 256, 0, stream>>>(device, number, n);
      cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
      if (twin != 1) cudaStreamSynchronize(stream);
      for (int i = 0; i < n; ++i) wrong += host[i] != 8 * (i + round) + 7 * number;
    }
    cudaFreeAsync(device, stream);
    cudaStreamSynchronize(stream);
    cudaFreeHost(host);
    cudaStreamDestroy(stream);
  };
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) threads.emplace_back(work, number);
  for (auto& thread : threads) thread.join();
  std::printf("host_threads: wrong %d\n", wrong.load());
  return wrong != 0;
}
