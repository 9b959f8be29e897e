// honest: exchanges two floats at a time, as a number of eight bytes

struct Body {
  float mass, charge, radius, heat;
  float at[4];
};

constexpr int kThreads = 128;
constexpr unsigned kAll = 0xffffffff;

__device__ Body partners(Body mine, int mask) {
  unsigned long long pair[4];
  memcpy(pair, &mine, sizeof mine);
#pragma unroll
  for (auto& both : pair) both = __shfl_xor_sync(kAll, both, mask);
  Body other;
  memcpy(&other, pair, sizeof other);
  return other;
}

__global__ void exchange(Body* out, const Body* in, int n, int mask) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int last = i < n ? i : n - 1;
  const Body mine = in[last];
  const Body other = partners(mine, mask);
  if (i < n) out[i] = (i ^ mask) < n ? other : mine;
}

void butterfly(Body* out, const Body* in, int n, int mask) {
  if (n == 0) return;
  exchange<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n, mask);
}
