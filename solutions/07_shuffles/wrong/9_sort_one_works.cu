// wrong: uses: one warp sorts a tile, 32 keys a lane, and another writes it
#include <climits>
__global__ void __launch_bounds__(64)
    sort_tile(int* out, const int* in, int n) {
  __shared__ int tile[1024];
  const int t = threadIdx.x, l = t % 32, first = blockIdx.x * 1024;
  if (t < 32) {
    int k[32];  // key e * 32 + l
#pragma unroll
    for (int e = 0; e < 32; ++e)
      k[e] = first + e * 32 + l < n ? in[first + e * 32 + l] : INT_MAX;
#pragma unroll
    for (int size = 2; size <= 1024; size *= 2)
#pragma unroll
      for (int apart = size / 2; apart > 0; apart /= 2) {
        if (apart >= 32) {
#pragma unroll
          for (int e = 0; e < 32; ++e)
            if (!(e & (apart / 32))) {
              const int o = e | (apart / 32);
              const bool rises = !((e * 32 + l) & size);
              const int a = min(k[e], k[o]), b = max(k[e], k[o]);
              k[e] = rises ? a : b;
              k[o] = rises ? b : a;
            }
        } else {
#pragma unroll
          for (int e = 0; e < 32; ++e) {
            const int o = __shfl_xor_sync(~0u, k[e], apart);
            const bool rises = !((e * 32 + l) & size), front = !(l & apart);
            k[e] = rises == front ? min(k[e], o) : max(k[e], o);
          }
        }
      }
#pragma unroll
    for (int e = 0; e < 32; ++e) tile[e * 32 + l] = k[e];
  }
  __syncthreads();
  if (t >= 32)
    for (int e = 0; e < 32; ++e)
      if (first + e * 32 + l < n) out[first + e * 32 + l] = tile[e * 32 + l];
}
void sort_tiles(int* out, const int* in, int n) {
  if (n) sort_tile<<<(n + 1023) / 1024, 64>>>(out, in, n);
}
