// wrong: output: bodies without a partner get one

struct Body {
  float mass, charge, radius, heat;
  float at[4];  // in space and time
};

constexpr int kThreads = 128;
constexpr unsigned kAll = 0xffffffff;  // every lane of the warp takes part

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
  // Lanes behind the end take part as well: others read from them.
  const int last = i < n ? i : n - 1;
  const Body mine = in[last];
  const Body other = partners(mine, mask);
  if (i < n) out[i] = other;
}

void butterfly(Body* out, const Body* in, int n, int mask) {
  if (n == 0) return;  // a grid must not be empty
  exchange<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n, mask);
}
