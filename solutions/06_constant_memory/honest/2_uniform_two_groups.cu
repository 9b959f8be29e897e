// honest: two groups a thread, of which the second begin within a sector

#include <cuda_runtime.h>

#include <cmath>
constexpr int kPoints = 8, kThreads = 256;
__constant__ float table[kPoints * kPoints];
// Two groups a thread, half of them apart: a constant serves twice.
__global__ void transform(float* out, const float* in, int n) {
  const int half = (n + 1) / 2, g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g >= half) return;
  const bool two = g + half < n;
  float p[kPoints], q[kPoints];
#pragma unroll
  for (int x = 0; x < kPoints; ++x) {
    p[x] = in[x * n + g];
    q[x] = two ? in[x * n + g + half] : 0;
  }
#pragma unroll
  for (int u = 0; u < kPoints; ++u) {
    float a = 0, b = 0;
#pragma unroll
    for (int x = 0; x < kPoints; ++x) {
      const float c = table[u * kPoints + x];
      a += c * p[x];
      b += c * q[x];
    }
    out[u * n + g] = a;
    if (two) out[u * n + g + half] = b;
  }
}
void cosine_transform(float* out, const float* in, int n) {
  if (n == 0) return;
  float cosines[kPoints * kPoints];
  for (int e = 0; e < kPoints * kPoints; ++e)
    cosines[e] = std::cos((2 * (e % kPoints) + 1) * (e / kPoints) *
                          3.14159265358979 / 16);
  void* at = nullptr;
  cudaGetSymbolAddress(&at, table);
  cudaMemcpy(at, cosines, sizeof cosines, cudaMemcpyHostToDevice);
  const int half = (n + 1) / 2;
  transform<<<(half + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
