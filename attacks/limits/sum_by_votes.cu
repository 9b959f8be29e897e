// attack: gathers the other lanes' floats bit by bit with votes, and shuffles for show
// against: 07_shuffles/3_warp_sum
// must: failed kernel, shuffles: by votes

constexpr unsigned kAll = 0xffffffff;

__global__ void sum_warps(float* out, const float* in, int n, int nothing) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  const float value = i < n ? in[i] : 0.0f;
  float shown = value;
  for (int apart = 16; apart > 0; apart /= 2) shown += __shfl_xor_sync(kAll, shown, apart);
  unsigned planes[32];
#pragma unroll
  for (int bit = 0; bit < 32; ++bit)
    planes[bit] = __ballot_sync(kAll, __float_as_uint(value) >> bit & 1);
  float sum = 0;
  for (int lane = 0; lane < 32; ++lane) {
    unsigned bits = 0;
#pragma unroll
    for (int bit = 0; bit < 32; ++bit) bits |= (planes[bit] >> lane & 1) << bit;
    sum += __uint_as_float(bits);
  }
  const unsigned added = nothing & __float_as_uint(shown);
  if (threadIdx.x == 0) out[blockIdx.x] = __uint_as_float(__float_as_uint(sum) | added);
}

void warp_sums(float* out, const float* in, int n) {
  if (n) sum_warps<<<(n + 31) / 32, 32>>>(out, in, n, 0);
}
