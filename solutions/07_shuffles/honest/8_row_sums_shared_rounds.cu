// honest: 32 rows share the rounds of a warp
template <int N>
__device__ void halve(float (&v)[32], int lane) {
#pragma unroll
  for (int i = 0; i < N / 2; ++i) {
    const bool upper = lane & (N / 2);
    const float give = upper ? v[i] : v[i + N / 2],
                keep = upper ? v[i + N / 2] : v[i];
    v[i] = keep + __shfl_xor_sync(~0u, give, N / 2);
  }
  if constexpr (N > 2) halve<N / 2>(v, lane);
}
__global__ void __launch_bounds__(128)
    sums(float* out, const float* in, int rows, int cols) {
  const int lane = threadIdx.x % 32,
            first = (blockIdx.x * 4 + threadIdx.x / 32) * 32;
  if (first >= rows) return;
  float v[32];
#pragma unroll
  for (int r = 0; r < 32; ++r) {
    float s = 0;
    if (first + r < rows)
      for (int c = lane; c < cols; c += 32)
        s += in[(size_t)(first + r) * cols + c];
    v[r] = s;
  }
  halve<32>(v, lane);
  if (first + lane < rows) out[first + lane] = v[0];
}
void row_sums(float* out, const float* in, int rows, int cols) {
  if (rows) sums<<<(rows + 127) / 128, 128>>>(out, in, rows, cols);
}
