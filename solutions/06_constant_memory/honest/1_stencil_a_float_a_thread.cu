// honest: takes one float a thread, nine from the tile, and uploads its
// constants one by one

constexpr int kRadius = 4, kThreads = 256;

__constant__ float coef[kRadius + 1];

__global__ void nine_points(float* out, const float* in, int n) {
  __shared__ float tile[kRadius + kThreads + kRadius];
  const int first = blockIdx.x * kThreads - kRadius;
  for (int t = threadIdx.x; t < kThreads + 2 * kRadius; t += kThreads) {
    const int i = first + t;
    tile[t] = i >= 0 && i < n ? in[i] : 0.0f;
  }
  __syncthreads();
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= n) return;
  const float* const x = tile + threadIdx.x + kRadius;
  float sum = coef[0] * x[0];
  for (int k = 1; k <= kRadius; ++k) sum = fmaf(coef[k], x[k] - x[-k], sum);
  out[i] = sum;
}

void stencil(float* out, const float* in, int n, float c0, float c1, float c2,
             float c3, float c4) {
  if (n == 0) return;
  const float constants[] = {c0, c1, c2, c3, c4};
  for (int k = 0; k <= kRadius; ++k)
    cudaMemcpyToSymbol(coef, constants + k, sizeof(float), k * sizeof(float));
  nine_points<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
