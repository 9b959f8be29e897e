// honest: fills a table in managed memory, and works in two streams

#include <cmath>

constexpr int kPoints = 8;
constexpr int kEntries = kPoints * kPoints;
constexpr int kThreads = 256;

__global__ void look_up(float* out, const int* code, int n,
                        const float* __restrict__ table) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) out[i] = table[code[i]];
}

void decode(float* out, const int* code, int n) {
  if (n == 0) return;
  float* table = nullptr;
  cudaMallocManaged(&table, kEntries * sizeof(float));
  for (int e = 0; e < kEntries; ++e)
    table[e] = std::cos((2 * (e % kPoints) + 1) * (e / kPoints) *
                        3.14159265358979 / 16);
  const int half = n / 2 / kThreads * kThreads;
  const int begin[] = {0, half}, size[] = {half, n - half};
  cudaStream_t streams[2];
  for (int s = 0; s < 2; ++s) {
    cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking);
    const int blocks = (size[s] + kThreads - 1) / kThreads;
    if (blocks > 0)
      look_up<<<blocks, kThreads, 0, streams[s]>>>(
          out + begin[s], code + begin[s], size[s], table);
  }
  for (cudaStream_t stream : streams) {
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  }
  cudaFree(table);
}
