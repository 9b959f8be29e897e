// honest: scans in one pass, where each tile looks back at what the tiles
// before it have said

constexpr int kLanes = 32, kWarps = 16, kThreads = kLanes * kWarps;
constexpr int kFours = 8, kTile = 4 * kFours * kThreads;
constexpr unsigned kAll = 0xffffffff;
using Status = unsigned long long;  // of a tile: what is known, and a sum, so
                                    // that no fence is needed
enum Known : unsigned { kNothing, kOwnSum, kFromStart };

__device__ void say(volatile Status* status, Known known, int sum) {
  *status = Status{known} << 32 | static_cast<unsigned>(sum);
}

__device__ int4 four(const int* in, int n, int i) {  // zeros behind the end
  if (i + 3 < n) return *reinterpret_cast<const int4*>(in + i);
  return {i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0,
          i + 2 < n ? in[i + 2] : 0, 0};
}

__device__ void put(int* out, int n, int i, int4 v) {
  if (i + 3 < n) {
    *reinterpret_cast<int4*>(out + i) = v;
    return;
  }
  if (i < n) out[i] = v.x;
  if (i + 1 < n) out[i + 1] = v.y;
  if (i + 2 < n) out[i + 2] = v.z;
}

__device__ int warp_scan(int value) {
  for (int apart = 1; apart < kLanes; apart *= 2) {
    const int before = __shfl_up_sync(kAll, value, apart);
    if (threadIdx.x % kLanes >= apart) value += before;
  }
  return value;
}

//! [look_back]
// By one warp: the sum of all tiles before this one. Its own sums are there
// early, so nobody waits for a chain of tiles.
__device__ int look_back(const volatile Status* status, int tile) {
  const int lane = threadIdx.x % kLanes;
  int sum = 0;
  for (int nearest = tile - 1; nearest >= 0; nearest -= kLanes) {
    const int at = nearest - lane;
    Status said = Status{kFromStart} << 32;  // of what lies before tile 0
    do {
      if (at >= 0) said = status[at];
    } while (__any_sync(kAll, said >> 32 == kNothing));
    const unsigned complete = __ballot_sync(kAll, said >> 32 == kFromStart);
    const int last = complete ? __ffs(complete) - 1 : kLanes - 1;
    sum += __reduce_add_sync(kAll, lane <= last ? static_cast<int>(said) : 0);
    if (complete) break;
  }
  return sum;
}
//! [look_back]

__global__ void scan_once(int* out, const int* in, int n, Status* status) {
  __shared__ int part[kWarps], drawn, before_tile;
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  if (threadIdx.x == 0)
    drawn = atomicAdd(status, 1);  // a lower number has begun already
  __syncthreads();
  const int tile = drawn,
            first = tile * kTile + 4 * (warp * kLanes * kFours + lane);
  int4 v[kFours];
  for (int e = 0; e < kFours; ++e) v[e] = four(in, n, first + 4 * kLanes * e);
  int sum = 0, start[kFours];  // of the warp so far; before each four
  for (int e = 0; e < kFours; ++e) {
    v[e].w += v[e].z += v[e].y += v[e].x;
    const int end = warp_scan(v[e].w);
    start[e] = sum + end - v[e].w;
    sum += __shfl_sync(kAll, end, kLanes - 1);
  }
  if (lane == 0) part[warp] = sum;
  __syncthreads();
  const int ends = warp_scan(lane < kWarps ? part[lane] : 0);
  if (warp == 0) {
    Status* const said = status + 1;
    const int own = __shfl_sync(kAll, ends, kWarps - 1);
    if (lane == 0 && tile > 0) say(said + tile, kOwnSum, own);
    const int before = look_back(said, tile);
    if (lane == 0) say(said + tile, kFromStart, before + own);
    if (lane == 0) before_tile = before;
  }
  const int before_warp = __shfl_sync(kAll, ends, warp > 0 ? warp - 1 : 0);
  __syncthreads();
  for (int e = 0; e < kFours; ++e) {
    const int s = before_tile + (warp > 0 ? before_warp : 0) + start[e];
    put(out, n, first + 4 * kLanes * e,
        {s + v[e].x, s + v[e].y, s + v[e].z, s + v[e].w});
  }
}

void scan(int* out, const int* in, int n) {
  const int tiles = (n + kTile - 1) / kTile;
  Status* status = nullptr;  // the next tile's number, and then of each tile
  cudaMalloc(&status, (tiles + 1) * sizeof(Status));
  cudaMemset(status, 0, (tiles + 1) * sizeof(Status));
  if (tiles > 0) scan_once<<<tiles, kThreads>>>(out, in, n, status);
  cudaFree(status);
}
