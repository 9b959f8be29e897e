// honest: five bits by shuffles, three by an exchange, the rest in registers
constexpr int kCount = 4096, kWarps = 8, kOwn = 16;
constexpr unsigned kAll = 0xffffffff;

template <int kFirst, int kEnd>
__device__ void in_registers(int (&v)[kOwn]) {
#pragma unroll
  for (int bit = kFirst; bit < kEnd; bit <<= 1)
#pragma unroll
    for (int j = 0; j < kOwn; ++j)
      if ((j & bit) == 0) {
        const int a = v[j], b = v[j ^ bit];
        v[j] = a + b;
        v[j ^ bit] = a - b;
      }
}

__global__ void walsh(short* __restrict__ out, const short* __restrict__ in) {
  __shared__ int kept[kCount];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const int first = blockIdx.x * kCount;
  int v[kOwn];
#pragma unroll
  for (int j = 0; j < kOwn; ++j)  // lane: bits 0 to 4; j: 5 to 8; warp: 9 to 11
    v[j] = in[first + warp * 512 + j * 32 + lane];
  in_registers<1, 16>(v);
#pragma unroll
  for (int bit = 1; bit < 32; bit <<= 1)
#pragma unroll
    for (int j = 0; j < kOwn; ++j) {
      const int other = __shfl_xor_sync(kAll, v[j], bit);
      v[j] = lane & bit ? other - v[j] : v[j] + other;
    }
#pragma unroll
  for (int j = 0; j < kOwn; ++j) kept[warp * 512 + j * 32 + lane] = v[j];
  __syncthreads();
#pragma unroll
  for (int j = 0; j < kOwn; ++j)  // now j has bits 9 to 11, and bit 5
    v[j] = kept[(j & 7) * 512 + (warp * 2 + (j >> 3)) * 32 + lane];
  in_registers<1, 8>(v);
#pragma unroll
  for (int j = 0; j < kOwn; ++j)
    out[first + (j & 7) * 512 + (warp * 2 + (j >> 3)) * 32 + lane] = v[j];
}

void transform(short* out, const short* in, int rows) {
  if (rows > 0) walsh<<<rows, kWarps * 32>>>(out, in);
}
