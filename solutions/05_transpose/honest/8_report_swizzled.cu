// honest: a swizzle for both exchanges, and no padding
constexpr int kSize = 4096, kEach = 16, kThreads = kSize / kEach;

// Where number i of a row lies in shared memory, in exchange 1 or 2.
constexpr int kPlaces = kSize;
__device__ int place(int, int i) { return i ^ i / 16 % 32; }

// Which number a thread's j-th is, in the pass of the bits from kLow's on.
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
  __syncthreads();  // all have theirs, and the line is free
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
