// honest: lets whole warps leave, and lanes without a body take a zero

struct Body {
  float mass, charge, radius, heat;
  float at[4];
};

constexpr int kThreads = 128;
constexpr unsigned kAll = 0xffffffff;

__device__ Body partners(Body mine, int mask) {
  Body other = mine;
  other.mass = __shfl_xor_sync(kAll, mine.mass, mask);
  other.charge = __shfl_xor_sync(kAll, mine.charge, mask);
  other.radius = __shfl_xor_sync(kAll, mine.radius, mask);
  other.heat = __shfl_xor_sync(kAll, mine.heat, mask);
#pragma unroll
  for (int d = 0; d < 4; ++d)
    other.at[d] = __shfl_xor_sync(kAll, mine.at[d], mask);
  return other;
}

__global__ void exchange(Body* out, const Body* in, int n, int mask) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i / 32 * 32 >= n) return;
  const Body mine = i < n ? in[i] : Body{};
  const Body other = partners(mine, mask);
  if (i < n) out[i] = (i ^ mask) < n ? other : mine;
}

void butterfly(Body* out, const Body* in, int n, int mask) {
  if (n == 0) return;
  exchange<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n, mask);
}
