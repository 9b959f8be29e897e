// attack: asks the neighbouring lanes for their elements, and keeps a tile for show
// against: 06_constant_memory/1_stencil
// must: failed coalescing, traffic

constexpr int kThreads = 128, kBlock = 4 * kThreads;
constexpr unsigned kAll = 0xffffffff;

__constant__ float coef[5];

__device__ float4 four(const float* in, int n, int i) {
  if (i < 0 || i >= n) return {0, 0, 0, 0};
  if (i + 3 < n) return *reinterpret_cast<const float4*>(in + i);
  return {in[i], i + 1 < n ? in[i + 1] : 0, i + 2 < n ? in[i + 2] : 0, 0};
}
__device__ float4 from(float4 own, int lane) {
  return {__shfl_sync(kAll, own.x, lane), __shfl_sync(kAll, own.y, lane),
          __shfl_sync(kAll, own.z, lane), __shfl_sync(kAll, own.w, lane)};
}

__global__ void nine_points(float* out, const float* in, int n) {
  __shared__ volatile float tile[kThreads][4];
  const int t = threadIdx.x, lane = t % 32, i = blockIdx.x * kBlock + 4 * t;
  const float4 own = four(in, n, i);
  float shown = 0;
  for (int e = 0; e < 4; ++e) {
    (&tile[0][0])[e * kThreads + t] = (&own.x)[e];
    shown += (&tile[0][0])[e * kThreads + t];
  }
  float4 before = from(own, (lane + 31) % 32), behind = from(own, (lane + 1) % 32);
  if (lane == 0) before = four(in, n, i - 4);
  if (lane == 31) behind = four(in, n, i + 4);
  const float x[12] = {before.x, before.y, before.z, before.w, own.x,    own.y,
                       own.z,    own.w,    behind.x, behind.y, behind.z, behind.w};
  for (int e = 0; e < 4; ++e) {
    float sum = coef[0] * x[4 + e];
    for (int k = 1; k <= 4; ++k) sum += coef[k] * (x[4 + e + k] - x[4 + e - k]);
    if (shown == 1e30f) sum = shown;
    if (i + e < n) out[i + e] = sum;
  }
}

void stencil(float* out, const float* in, int n, float c0, float c1, float c2, float c3, float c4) {
  if (n == 0) return;
  const float constants[5] = {c0, c1, c2, c3, c4};
  cudaMemcpyToSymbol(coef, constants, sizeof constants);
  nine_points<<<(n + kBlock - 1) / kBlock, kThreads>>>(out, in, n);
}
