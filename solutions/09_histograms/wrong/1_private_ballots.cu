// wrong: uses: eight counters a lane in registers, found by ballots

// One warp a block; lane l counts bins l, l + 32, ... in registers.
__global__ void count(int* out, const int* in, int n) {
  const int lane = threadIdx.x;
  int bins[8] = {};
  const int first = blockIdx.x * 4096;
#pragma unroll 1
  for (int e = 0; e < 4096 && first + e < n; e += 32) {
    const int i = first + e + lane;
    const unsigned here = __ballot_sync(0xffffffff, i < n);
    const int value = i < n ? in[i] : 0;
    unsigned mine = here;
#pragma unroll
    for (int b = 0; b < 5; ++b) {
      const unsigned set = __ballot_sync(0xffffffff, value >> b & 1);
      mine &= lane >> b & 1 ? set : ~set;
    }
    const unsigned s5 = __ballot_sync(0xffffffff, value >> 5 & 1),
                   s6 = __ballot_sync(0xffffffff, value >> 6 & 1),
                   s7 = __ballot_sync(0xffffffff, value >> 7 & 1);
#pragma unroll
    for (int h = 0; h < 8; ++h)
      bins[h] += __popc(mine & (h & 1 ? s5 : ~s5) & (h & 2 ? s6 : ~s6) &
                        (h & 4 ? s7 : ~s7));
  }
  for (int h = 0; h < 8; ++h) atomicAdd(&out[h * 32 + lane], bins[h]);
}
void histogram(int* out, const int* in, int n) {
  cudaMemset(out, 0, 256 * sizeof(int));
  if (n == 0) return;
  count<<<(n + 4095) / 4096, 32>>>(out, in, n);
}
