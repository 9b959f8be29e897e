// honest: a thread keeps 64 numbers, so that one exchange is enough
constexpr int kEach = 64, kRow = kEach * kEach;

__device__ void six_bits(int (&v)[kEach]) {
#pragma unroll
  for (int bit = 1; bit < kEach; bit *= 2) {
#pragma unroll
    for (int j = 0; j < kEach; ++j)
      if (!(j & bit)) {
        const int a = v[j], b = v[j + bit];
        v[j] = a + b, v[j + bit] = a - b;
      }
  }
}

__global__ void __launch_bounds__(kEach)
    rows_of_64(short* out, const short* in) {
  extern __shared__ int square[];  // kEach x kEach, rows rotated
  const int t = threadIdx.x;
  in += size_t(kRow) * blockIdx.x, out += size_t(kRow) * blockIdx.x;
  int v[kEach];
#pragma unroll
  for (int j = 0; j < kEach; ++j) v[j] = in[kEach * j + t];
  six_bits(v);  // bits 6 to 11: down the columns
#pragma unroll
  for (int j = 0; j < kEach; ++j) square[kEach * j + (t + j) % kEach] = v[j];
  __syncthreads();
#pragma unroll
  for (int j = 0; j < kEach; ++j) v[j] = square[kEach * t + (t + j) % kEach];
  six_bits(v);  // bits 0 to 5: along the rows
#pragma unroll
  for (int j = 0; j < kEach; ++j) square[kEach * t + (t + j) % kEach] = v[j];
  __syncthreads();
#pragma unroll
  for (int j = 0; j < kEach; ++j)
    out[kEach * j + t] =
        static_cast<short>(square[kEach * j + (t + j) % kEach]);
}

void transform(short* out, const short* in, int rows) {
  constexpr int kBytes = kRow * sizeof(int);
  if (rows) rows_of_64<<<rows, kEach, kBytes>>>(out, in);
}
