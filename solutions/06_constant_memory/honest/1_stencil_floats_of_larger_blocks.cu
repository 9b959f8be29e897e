// honest: single floats, blocks of 2,048 points, whose last one has zeros

// A plain tile of floats, as in the course's first lectures: a thread loads and
// makes single points, four apart by the block.
constexpr int kR = 4, kThreads = 256, kEach = 8, kPoints = kThreads * kEach;
__constant__ float c_coef[kR + 1];

__global__ void __launch_bounds__(kThreads)
    stencil_kernel(float* __restrict__ out, const float* __restrict__ in,
                   int n) {
  __shared__ float s[kPoints + 2 * kR];
  const int first = blockIdx.x * kPoints - kR;
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    const int k = threadIdx.x + e * kThreads, i = first + k;
    s[k] = i >= 0 && i < n ? in[i] : 0.0f;
  }
  if (threadIdx.x < 2 * kR) {
    const int k = threadIdx.x + kPoints, i = first + k;
    s[k] = i < n ? in[i] : 0.0f;
  }
  __syncthreads();
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    const int k = threadIdx.x + e * kThreads + kR, i = first + k;
    float sum = c_coef[0] * s[k];
#pragma unroll
    for (int d = 1; d <= kR; ++d) sum += c_coef[d] * (s[k + d] - s[k - d]);
    if (i < n) out[i] = sum;
  }
}
void stencil(float* out, const float* in, int n, float c0, float c1, float c2,
             float c3, float c4) {
  if (n == 0) return;
  const float host[] = {c0, c1, c2, c3, c4};
  cudaMemcpyToSymbol(c_coef, host, sizeof host);
  stencil_kernel<<<(n + kPoints - 1) / kPoints, kThreads>>>(out, in, n);
}
