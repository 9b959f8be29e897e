// honest: adds up the words of the warps before it, one by one

constexpr int kLanes = 32, kWarps = 8, kThreads = kLanes * kWarps;
constexpr int kTile = 4 * kThreads;
constexpr unsigned kAll = 0xffffffff;

__device__ int4 four(const int* in, int n, int i) {
  if (i + 3 < n) return *reinterpret_cast<const int4*>(in + i);
  return {i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0,
          i + 2 < n ? in[i + 2] : 0, 0};
}

__device__ int warp_scan(int value) {
  for (int apart = 1; apart < kLanes; apart *= 2) {
    const int before = __shfl_up_sync(kAll, value, apart);
    if (threadIdx.x % kLanes >= apart) value += before;
  }
  return value;
}

__device__ int block_scan(int value) {
  value = warp_scan(value);
  __shared__ int part[kWarps];
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  if (lane == kLanes - 1) part[warp] = value;
  __syncthreads();
  for (int w = 0; w < warp; ++w) value += part[w];
  return value;
}

__global__ void scan_tiles(int* out, const int* in, int n) {
  const int i = blockIdx.x * kTile + 4 * threadIdx.x;
  const int4 v = four(in, n, i);
  const int w = block_scan(v.x + v.y + v.z + v.w);
  const int z = w - v.w, y = z - v.z, x = y - v.y;
  if (i + 3 < n)
    *reinterpret_cast<int4*>(out + i) = {x, y, z, w};
  else
    for (int e = 0; e < 3; ++e)
      if (i + e < n) out[i + e] = e == 0 ? x : e == 1 ? y : z;
}

void scan(int* out, const int* in, int n) {
  const int tiles = (n + kTile - 1) / kTile;
  if (tiles > 0) scan_tiles<<<tiles, kThreads>>>(out, in, n);
}
