// honest: scans the sums in one block, which walks over them and carries on

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
  __shared__ int part[kWarps];
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  if (lane == kLanes - 1) part[warp] = value;
  __syncthreads();
  const int parts = warp_scan(lane < kWarps ? part[lane] : 0);
  const int before = __shfl_sync(kAll, parts, warp > 0 ? warp - 1 : 0);
  if (warp > 0) value += before;
  return value;
}

__global__ void sum_tiles(int* sums, const int* in, int n) {
  const int4 v = four(in, n, blockIdx.x * kTile + 4 * threadIdx.x);
  const int sum = block_scan(v.x + v.y + v.z + v.w);
  if (threadIdx.x == kThreads - 1) sums[blockIdx.x] = sum;
}

__global__ void scan_tiles(int* out, const int* in, const int* sums, int n) {
  const int i = blockIdx.x * kTile + 4 * threadIdx.x;
  const int4 v = four(in, n, i);
  const int start = blockIdx.x > 0 ? sums[blockIdx.x - 1] : 0;
  const int w = start + block_scan(v.x + v.y + v.z + v.w);
  const int z = w - v.w, y = z - v.z, x = y - v.y;
  if (i + 3 < n)
    *reinterpret_cast<int4*>(out + i) = {x, y, z, w};
  else
    for (int e = 0; e < 3; ++e)
      if (i + e < n) out[i + e] = e == 0 ? x : e == 1 ? y : z;
}

__global__ void scan_sums(int* sums, int tiles) {
  __shared__ int carry;
  if (threadIdx.x == 0) carry = 0;
  for (int first = 0; first < tiles; first += kThreads) {
    __syncthreads();
    const int i = first + threadIdx.x, start = carry;
    const int value = start + block_scan(i < tiles ? sums[i] : 0);
    if (i < tiles) sums[i] = value;
    __syncthreads();
    if (threadIdx.x == kThreads - 1) carry = value;
  }
}

void scan(int* out, const int* in, int n) {
  const int tiles = (n + kTile - 1) / kTile;
  int* sums = nullptr;
  if (tiles > 1) {
    cudaMalloc(&sums, tiles * sizeof(int));
    sum_tiles<<<tiles, kThreads>>>(sums, in, n);
    scan_sums<<<1, kThreads>>>(sums, tiles);
  }
  if (tiles > 0) scan_tiles<<<tiles, kThreads>>>(out, in, sums, n);
  cudaFree(sums);
}
