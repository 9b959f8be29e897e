// honest: each exchange has a padding of its own
constexpr int kSize = 4096, kEach = 16, kThreads = kSize / kEach;

constexpr int kPlaces = kSize + kSize / 16;
__device__ int place(int exchange, int i) {
  return i + i / (exchange == 1 ? 32 : 16);
}
template <int kLow>
__device__ int number(int t, int j) {
  return t / kLow * kLow * kEach + t % kLow + j * kLow;
}
__device__ void four_bits(int (&v)[kEach]) {
#pragma unroll
  for (int bit = 1; bit < kEach; bit *= 2)
#pragma unroll
    for (int j = 0; j < kEach; ++j)
      if ((j & bit) == 0) {
        const int sum = v[j] + v[j | bit];
        v[j | bit] = v[j] - v[j | bit];
        v[j] = sum;
      }
}
template <int kFrom, int kTo>
__device__ void exchange(int (&v)[kEach], int* line, int which) {
  const int t = threadIdx.x;
  for (int j = 0; j < kEach; ++j)
    line[place(which, number<kFrom>(t, j))] = v[j];
  __syncthreads();
  for (int j = 0; j < kEach; ++j) v[j] = line[place(which, number<kTo>(t, j))];
  __syncthreads();
}
__global__ void __launch_bounds__(kThreads)
    transform_rows(short* out, const short* in) {
  __shared__ int line[kPlaces];
  const int t = threadIdx.x;
  const size_t row = size_t(blockIdx.x) * kSize;
  int v[kEach];
  for (int j = 0; j < kEach; ++j) v[j] = in[row + number<256>(t, j)];
  four_bits(v);
  exchange<256, 1>(v, line, 1);
  four_bits(v);
  exchange<1, 16>(v, line, 2);
  four_bits(v);
  for (int j = 0; j < kEach; ++j) out[row + number<16>(t, j)] = short(v[j]);
}
void transform(short* out, const short* in, int rows) {
  if (rows > 0) transform_rows<<<rows, kThreads>>>(out, in);
}
