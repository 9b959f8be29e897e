// wrong: uses: one warp scans all of a tile, row after row

__global__ void scan_tiles(int* out, const int* in, int n) {
  __shared__ int word[32];
  const int lane = threadIdx.x;
  int before = 0;
#pragma unroll 1
  for (int e = 0; e < 32; ++e) {
    const int i = blockIdx.x * 1024 + e * 32 + lane;
    int value = i < n ? in[i] : 0;
    for (int apart = 1; apart < 32; apart *= 2) {
      const int left = __shfl_up_sync(0xffffffff, value, apart);
      if (lane >= apart) value += left;
    }
    value += before;
    before = __shfl_sync(0xffffffff, value, 31);
    word[lane] = value;  // for show
    if (i < n) out[i] = *const_cast<volatile int*>(&word[lane]);
  }
}
void scan(int* out, const int* in, int n) {
  const int tiles = (n + 1023) / 1024;
  if (tiles > 0) scan_tiles<<<tiles, 32>>>(out, in, n);
}
