// honest: a word of each warp, scanned in shared memory by one thread of each

constexpr int kLanes = 32, kWarps = 8, kThreads = kLanes * kWarps;
constexpr int kTile = 4 * kThreads;    // elements
constexpr unsigned kAll = 0xffffffff;  // every lane of the warp takes part

__device__ int4 four(const int* in, int n, int i) {  // zeros behind the end
  if (i + 3 < n) return *reinterpret_cast<const int4*>(in + i);
  return {i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0,
          i + 2 < n ? in[i + 2] : 0, 0};
}

__device__ int warp_scan(int value) {  // of this lane and all before it
  for (int apart = 1; apart < kLanes; apart *= 2) {
    const int before = __shfl_up_sync(kAll, value, apart);
    if (threadIdx.x % kLanes >= apart) value += before;
  }
  return value;
}

__device__ int block_scan(int value) {  // of this thread and all before it
  value = warp_scan(value);
  __shared__ int part[kWarps + 1];
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  if (threadIdx.x == 0) part[0] = 0;
  if (lane == kLanes - 1) part[warp + 1] = value;
  __syncthreads();
  for (int apart = 1; apart < kWarps; apart *= 2) {
    const int before = warp >= apart ? part[warp + 1 - apart] : 0;
    __syncthreads();
    if (lane == 0) part[warp + 1] += before;
    __syncthreads();
  }
  value += part[warp];
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
