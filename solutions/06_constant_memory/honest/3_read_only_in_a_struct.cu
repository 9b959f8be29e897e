// honest: hands the table over in a struct, on a stream

#include <cmath>

constexpr int kPoints = 8;
constexpr int kEntries = kPoints * kPoints;
constexpr int kThreads = 256;

struct Table {
  const float* entry;

  __device__ float operator[](int code) const { return __ldg(entry + code); }
};

__global__ void look_up(float* out, const int* code, int n, Table table) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) out[i] = table[code[i]];
}

void decode(float* out, const int* code, int n) {
  if (n == 0) return;
  float cosines[kEntries];
  for (int e = 0; e < kEntries; ++e)
    cosines[e] = std::cos((2 * (e % kPoints) + 1) * (e / kPoints) *
                          3.14159265358979 / 16);
  const int blocks = (n + kThreads - 1) / kThreads;
  float* table = nullptr;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocAsync(&table, sizeof cosines, stream);
  cudaMemcpyAsync(table, cosines, sizeof cosines, cudaMemcpyHostToDevice,
                  stream);
  look_up<<<blocks, kThreads, 0, stream>>>(out, code, n, Table{table});
  cudaFreeAsync(table, stream);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
