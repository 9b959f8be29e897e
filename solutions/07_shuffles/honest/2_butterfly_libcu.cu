// honest: a library shuffles a struct

#include <cuda/warp>
struct Body {
  float mass, charge, radius, heat;
  float at[4];
};
constexpr int kThreads = 128;
__global__ void exchange(Body* out, const Body* in, int n, int mask) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  Body mine = {};
  if (i < n) mine = in[i];
  const Body other = cuda::device::warp_shuffle_xor(mine, mask);
  if (i < n) out[i] = (i ^ mask) < n ? other : mine;
}
void butterfly(Body* out, const Body* in, int n, int mask) {
  if (n > 0)
    exchange<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n, mask);
}
