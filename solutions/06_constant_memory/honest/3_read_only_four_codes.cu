// honest: four codes a thread, the last three by one

#include <thrust/device_vector.h>

#include <cmath>
constexpr int kPoints = 8, kEntries = 64, kThreads = 256;
static void fill(float* t) {
  for (int e = 0; e < kEntries; ++e)
    t[e] = std::cos((2 * (e % kPoints) + 1) * (e / kPoints) * 3.14159265358979 /
                    16);
}
__global__ void look_up(float* __restrict__ out, const int* __restrict__ code,
                        int n, const float* __restrict__ table) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i + 3 < n) {
    const int4 c = reinterpret_cast<const int4*>(code)[i];
    reinterpret_cast<float4*>(out)[i] = {__ldg(table + c.x), __ldg(table + c.y),
                                         __ldg(table + c.z),
                                         __ldg(table + c.w)};
  } else {
    for (int e = 4 * i; e < n; ++e) out[e] = __ldg(table + code[e]);
  }
}
void decode(float* out, const int* code, int n) {
  if (n == 0) return;
  float host[kEntries];
  fill(host);
  const thrust::device_vector<float> table(host, host + kEntries);
  const int threads = (n + 3) / 4;
  look_up<<<(threads + kThreads - 1) / kThreads, kThreads>>>(
      out, code, n, thrust::raw_pointer_cast(table.data()));
}
