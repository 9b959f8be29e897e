// wrong: shuffles: a lane loads its partner's body, and shuffles it to itself
struct Body {
  float mass, charge, radius, heat;
  float at[4];  // in space and time
};

constexpr int kThreads = 128;
constexpr unsigned kAll = 0xffffffff;  // every lane of the warp takes part

__device__ Body partners(Body mine, int mask) {
  Body other = mine;
  other.mass = __shfl_sync(kAll, mine.mass, threadIdx.x % 32);
  other.charge = __shfl_sync(kAll, mine.charge, threadIdx.x % 32);
  other.radius = __shfl_sync(kAll, mine.radius, threadIdx.x % 32);
  other.heat = __shfl_sync(kAll, mine.heat, threadIdx.x % 32);
  for (int d = 0; d < 4; ++d)
    other.at[d] = __shfl_sync(kAll, mine.at[d], threadIdx.x % 32);
  return other;
}

__global__ void exchange(Body* out, const Body* in, int n, int mask) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int p = min(i, n - 1) ^ mask;
  const Body b = partners(in[p < n ? p : min(i, n - 1)], mask);
  if (i < n) out[i] = b;
}

void butterfly(Body* out, const Body* in, int n, int mask) {
  if (n == 0) return;  // a grid must not be empty
  exchange<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n, mask);
}
