// honest: a tile of single floats with four more on either side, one element a
// thread

constexpr int kThreads = 256, kRadius = 4;

__constant__ float coef[kRadius + 1];

__global__ void nine_points(float* out, const float* in, int n) {
  __shared__ float tile[kThreads + 2 * kRadius];
  const int t = threadIdx.x, i = blockIdx.x * kThreads + t;
  tile[t + kRadius] = i < n ? in[i] : 0.0f;
  if (t < kRadius) tile[t] = i >= kRadius ? in[i - kRadius] : 0.0f;
  if (t >= kThreads - kRadius)
    tile[t + 2 * kRadius] = i + kRadius < n ? in[i + kRadius] : 0.0f;
  __syncthreads();
  float sum = coef[0] * tile[t + kRadius];
  for (int k = 1; k <= kRadius; ++k)
    sum += coef[k] * (tile[t + kRadius + k] - tile[t + kRadius - k]);
  if (i < n) out[i] = sum;
}

void stencil(float* out, const float* in, int n, float c0, float c1, float c2,
             float c3, float c4) {
  if (n == 0) return;
  const float constants[kRadius + 1] = {c0, c1, c2, c3, c4};
  cudaMemcpyToSymbol(coef, constants, sizeof constants);
  nine_points<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
