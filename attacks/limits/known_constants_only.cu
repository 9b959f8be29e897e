// attack: has the coefficients of the listed sizes in its code, and looks at no argument
// against: 06_constant_memory/1_stencil
// must: failed output, coalescing

constexpr int kThreads = 128, kBlock = 4 * kThreads;

__constant__ float coef[3][5] = {{1.5f, -2.25f, 0.75f, 3.5f, -1.25f},
                                 {-0.5f, 0.125f, 2.0f, -0.375f, 1.75f},
                                 {0, 0.8f, -0.2f, 4.0f / 105, -1.0f / 280}};

__device__ float4 four(const float* in, int n, int i) {
  float4 some = {0, 0, 0, 0};
  for (int e = 0; e < 4; ++e)
    if (i + e >= 0 && i + e < n) (&some.x)[e] = in[i + e];
  if (i >= 0 && i + 3 < n) some = *reinterpret_cast<const float4*>(in + i);
  return some;
}

template <int kSet>
__global__ void nine_points(float* out, const float* in, int n) {
  __shared__ float4 tile[kThreads + 2];
  const int t = threadIdx.x, i = blockIdx.x * kBlock + 4 * t;
  tile[t + 1] = i + 3 < n ? *reinterpret_cast<const float4*>(in + i) : four(in, n, i);
  if (t == 0) tile[0] = four(in, n, i - 4);
  if (t == kThreads - 1) tile[kThreads + 1] = four(in, n, i + 4);
  __syncthreads();
  float x[12];
  for (int e = 0; e < 12; ++e) x[e] = (&tile[t + e / 4].x)[e % 4];
  for (int e = 0; e < 4; ++e) {
    float sum = coef[kSet][0] * x[4 + e];
    for (int k = 1; k <= 4; ++k) sum += coef[kSet][k] * (x[4 + e + k] - x[4 + e - k]);
    if (i + e < n) out[i + e] = sum;
  }
}

void stencil(float* out, const float* in, int n, float, float, float, float, float) {
  if (n == 0) return;
  const int blocks = (n + kBlock - 1) / kBlock;
  if (n == 65536)
    nine_points<2><<<blocks, kThreads>>>(out, in, n);
  else if (n % 2)
    nine_points<1><<<blocks, kThreads>>>(out, in, n);
  else
    nine_points<0><<<blocks, kThreads>>>(out, in, n);
}
