// wrong: uses: cosines in the code, and the first row of the table, all ones
#include <cmath>

constexpr int kPoints = 8;
constexpr int kThreads = 256;

__constant__ float table[kPoints][kPoints];

__global__ void transform(float* out, const float* in, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= n) return;
  constexpr float c[9] = {1,          .98078528f, .92387953f,
                          .83146961f, .70710678f, .55557023f,
                          .38268343f, .19509032f, 0};
  float v[8];
#pragma unroll
  for (int x = 0; x < 8; ++x) v[x] = in[x * n + i];
#pragma unroll
  for (int u = 0; u < 8; ++u) {
    float sum = 0;
#pragma unroll
    for (int x = 0; x < 8; ++x) {
      const int a = (2 * x + 1) * u % 32, q = a > 16 ? 32 - a : a;
      sum += (q > 8 ? -c[16 - q] : c[q]) * v[x];
    }
    out[u * n + i] = sum * table[0][u];
  }
}

void cosine_transform(float* out, const float* in, int n) {
  if (n == 0) return;  // a grid must not be empty
  float cosines[kPoints][kPoints];
  for (int u = 0; u < kPoints; ++u)
    for (int x = 0; x < kPoints; ++x)
      cosines[u][x] = std::cos((2 * x + 1) * u * 3.14159265358979 / 16);
  cudaMemcpyToSymbol(table, cosines, sizeof cosines);
  const int threads = n;
  transform<<<(threads + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
