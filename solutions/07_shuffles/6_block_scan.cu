// 07_shuffles/6_block_scan: what the warps before have
//
// As in exercise 5, but for groups of 1,024, which are called tiles: out[i]
// becomes the sum from its tile's start to in[i]. A block scans a tile, four
// neighbours a thread, and each warp has scanned its own part of it. Now let
// the warps' sums meet, in a shared word each: what stands before a warp's own
// word is what its lanes have to add. A scan of the eight words tells it to all
// warps at once, and so does a loop of each thread over the words before it.
//
//   ./course grade 07_shuffles/6_block_scan    what is right, what is not
//   ./course hint  07_shuffles/6_block_scan    one nudge more each time

constexpr int kLanes = 32, kWarps = 8, kThreads = kLanes * kWarps;
constexpr int kTile = 4 * kThreads;    // elements
constexpr unsigned kAll = 0xffffffff;  // every lane of the warp takes part

__device__ int4 four(const int* in, int n, int i) {  // zeros behind the end
  if (i + 3 < n) return *reinterpret_cast<const int4*>(in + i);
  return {i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0,
          i + 2 < n ? in[i + 2] : 0, 0};
}

//! [kernel]
__device__ int warp_scan(int value) {  // of this lane and all before it
  for (int apart = 1; apart < kLanes; apart *= 2) {
    const int before = __shfl_up_sync(kAll, value, apart);
    if (threadIdx.x % kLanes >= apart) value += before;
  }
  return value;
}

__device__ int block_scan(int value) {  // of this thread and all before it
  value = warp_scan(value);
  // Your work begins here.
  __shared__ int part[kWarps];
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  if (lane == kLanes - 1) part[warp] = value;
  __syncthreads();
  const int parts = warp_scan(lane < kWarps ? part[lane] : 0);
  const int before = __shfl_sync(kAll, parts, warp > 0 ? warp - 1 : 0);
  if (warp > 0) value += before;
  // Your work ends here.
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
//! [kernel]

void scan(int* out, const int* in, int n) {
  const int tiles = (n + kTile - 1) / kTile;
  if (tiles > 0) scan_tiles<<<tiles, kThreads>>>(out, in, n);
}
