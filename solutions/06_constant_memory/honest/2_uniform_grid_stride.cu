// honest: strides over the groups with few blocks, in a struct with an operator

#include <cmath>

constexpr int kPoints = 8;
constexpr int kThreads = 256;

__constant__ float table[kPoints][kPoints];

struct Group {
  float point[kPoints];

  __device__ float operator()(int u) const {
    float sum = 0;
#pragma unroll
    for (int x = 0; x < kPoints; ++x) sum = fmaf(table[u][x], point[x], sum);
    return sum;
  }
};

__global__ void transform(float* out, const float* in, int n) {
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n;
       i += gridDim.x * kThreads) {
    Group group;
#pragma unroll
    for (int x = 0; x < kPoints; ++x) group.point[x] = in[x * n + i];
#pragma unroll
    for (int u = 0; u < kPoints; ++u) out[u * n + i] = group(u);
  }
}

void cosine_transform(float* out, const float* in, int n) {
  if (n == 0) return;
  float cosines[kPoints][kPoints];
  for (int u = 0; u < kPoints; ++u)
    for (int x = 0; x < kPoints; ++x)
      cosines[u][x] = std::cos((2 * x + 1) * u * 3.14159265358979 / 16);
  cudaMemcpyToSymbol(table, cosines, sizeof cosines);
  const int threads = n < 4096 ? n : 4096;
  transform<<<(threads + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
