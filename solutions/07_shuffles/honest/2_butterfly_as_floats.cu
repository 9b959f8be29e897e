// honest: exchanges a body as an array of eight floats

struct Body {
  float mass, charge, radius, heat;
  float at[4];
};

constexpr int kThreads = 128;
constexpr unsigned kAll = 0xffffffff;

__device__ Body partners(Body mine, int mask) {
  float* const word = &mine.mass;
  const int source = (threadIdx.x ^ mask) % 32;
#pragma unroll
  for (unsigned w = 0; w < sizeof(Body) / sizeof(float); ++w)
    word[w] = __shfl_sync(kAll, word[w], source);
  return mine;
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
