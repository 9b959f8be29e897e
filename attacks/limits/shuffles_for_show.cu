// attack: reads the partner's body from global memory, with eight shuffles whose results are dead
// against: 07_shuffles/2_butterfly
// must: failed shuffles

struct Body {
  float mass, charge, radius, heat, at[4];
};

__global__ void exchange(Body* out, const Body* in, int n, int mask) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int partner = (i ^ mask) < n ? i ^ mask : i;
#pragma unroll
  for (int d = 0; d < 8; ++d) {
    int dead;
    asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 31, -1;" : "=r"(dead) : "r"(d));
  }
  if (i < n) out[i] = in[partner];
}

void butterfly(Body* out, const Body* in, int n, int mask) {
  if (n) exchange<<<(n + 255) / 256, 256>>>(out, in, n, mask);
}
