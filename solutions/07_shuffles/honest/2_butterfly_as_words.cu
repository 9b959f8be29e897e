// honest: exchanges a struct as the eight words that it is made of

struct Body {
  float mass, charge, radius, heat, at[4];
};

__global__ void exchange(Body* out, const Body* in, int n, int mask) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  union {
    Body body;
    unsigned words[8];
  } mine, other;
  if (i < n) mine.body = in[i];
#pragma unroll
  for (int w = 0; w < 8; ++w)
    other.words[w] =
        __shfl_xor_sync(0xffffffff, i < n ? mine.words[w] : 0u, mask);
  if (i >= n) return;
  if ((i ^ mask) >= n) other.body = mine.body;
  out[i] = other.body;
}

void butterfly(Body* out, const Body* in, int n, int mask) {
  if (n) exchange<<<(n + 63) / 64, 64>>>(out, in, n, mask);
}
