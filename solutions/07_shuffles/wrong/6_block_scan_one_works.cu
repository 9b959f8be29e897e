// wrong: uses: the first warp scans the tile, and the others write it
constexpr int kTile = 1024, kThreads = 256;
__global__ void scan_tile(int* out, const int* in, int n) {
  __shared__ int4 tile[8][33];
  const int t = threadIdx.x, first = blockIdx.x * kTile;
  if (t < 32) {
    int carry = 0;
    for (int q = 0; q < 8; ++q) {
      const int i = first + q * 128 + 4 * t;
      int v[4];
      if (i + 3 < n)
        *(int4*)v = *(const int4*)(in + i);
      else
        for (int e = 0; e < 4; ++e) v[e] = i + e < n ? in[i + e] : 0;
      for (int e = 1; e < 4; ++e) v[e] += v[e - 1];
      int sum = v[3];
      for (int d = 1; d < 32; d *= 2) {
        const int o = __shfl_up_sync(~0u, sum, d);
        if (t >= d) sum += o;
      }
      const int before = carry + sum - v[3];
      for (int e = 0; e < 4; ++e) v[e] += before;
      tile[q][t] = *(int4*)v;
      carry += __shfl_sync(~0u, sum, 31);
    }
  }
  __syncthreads();
  const int w = (t / 32 + 1) % 8, l = t % 32, i = first + w * 128 + 4 * l;
  const int4 v = tile[w][l];
  if (i + 3 < n)
    *(int4*)(out + i) = v;
  else {
    if (i < n) out[i] = v.x;
    if (i + 1 < n) out[i + 1] = v.y;
    if (i + 2 < n) out[i + 2] = v.z;
  }
}
void scan(int* out, const int* in, int n) {
  if (n) scan_tile<<<(n + kTile - 1) / kTile, kThreads>>>(out, in, n);
}
