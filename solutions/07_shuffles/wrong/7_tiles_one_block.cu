// wrong: uses: one block scans everything, tile after tile

// One block scans everything, a tile after another.
constexpr int kLanes = 32, kWarps = 8, kThreads = 256, kTile = 1024;
__device__ int4 four(const int* in, int n, int i) {
  if (i + 3 < n) return *reinterpret_cast<const int4*>(in + i);
  return {i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0,
          i + 2 < n ? in[i + 2] : 0, 0};
}
__device__ int warp_scan(int value) {
  for (int apart = 1; apart < kLanes; apart *= 2) {
    const int before = __shfl_up_sync(0xffffffff, value, apart);
    if (threadIdx.x % kLanes >= apart) value += before;
  }
  return value;
}
__global__ void scan_all(int* out, const int* in, int n) {
  __shared__ int part[kWarps];
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  int start = 0;
  for (int tile = 0; tile < n; tile += kTile) {
    const int i = tile + 4 * threadIdx.x;
    const int4 v = four(in, n, i);
    int value = warp_scan(v.x + v.y + v.z + v.w);
    if (lane == kLanes - 1) part[warp] = value;
    __syncthreads();
    const int parts = warp_scan(lane < kWarps ? part[lane] : 0);
    const int before = __shfl_sync(0xffffffff, parts, warp > 0 ? warp - 1 : 0);
    if (warp > 0) value += before;
    const int w = start + value, z = w - v.w, y = z - v.z, x = y - v.y;
    start += __shfl_sync(0xffffffff, parts, 7);
    if (i + 3 < n)
      *reinterpret_cast<int4*>(out + i) = {x, y, z, w};
    else
      for (int e = 0; e < 3; ++e)
        if (i + e < n) out[i + e] = e == 0 ? x : e == 1 ? y : z;
    __syncthreads();
  }
}
void scan(int* out, const int* in, int n) {
  if (n > 0) scan_all<<<1, kThreads>>>(out, in, n);
}
