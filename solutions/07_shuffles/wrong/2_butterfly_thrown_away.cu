// wrong: memory: what a lane reads from one that left is thrown away

struct Body {
  float mass, charge, radius, heat;
  float at[4];  // in space and time
};

constexpr int kThreads = 128;
constexpr unsigned kAll = 0xffffffff;  // every lane of the warp takes part

__device__ Body partners(Body mine, int mask, unsigned who) {
  Body other = mine;
  other.mass = __shfl_xor_sync(who, mine.mass, mask);
  other.charge = __shfl_xor_sync(who, mine.charge, mask);
  other.radius = __shfl_xor_sync(who, mine.radius, mask);
  other.heat = __shfl_xor_sync(who, mine.heat, mask);
#pragma unroll
  for (int d = 0; d < 4; ++d)
    other.at[d] = __shfl_xor_sync(who, mine.at[d], mask);
  return other;
}

__global__ void exchange(Body* out, const Body* in, int n, int mask) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const unsigned who = __ballot_sync(kAll, i < n);
  if (i >= n) return;
  const Body mine = in[i];
  const Body other = partners(mine, mask, who);
  out[i] = (i ^ mask) < n ? other : mine;
}

void butterfly(Body* out, const Body* in, int n, int mask) {
  if (n == 0) return;  // a grid must not be empty
  exchange<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n, mask);
}
