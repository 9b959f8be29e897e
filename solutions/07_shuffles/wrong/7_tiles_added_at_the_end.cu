// wrong: coalescing: what is before a tile is added in a second pass

constexpr int kEach = 4, kThreads = 256, kTile = kEach * kThreads;
constexpr unsigned kAll = 0xffffffff;

__device__ int up_to_lane(int value) {
  for (int apart = 1; apart < 32; apart *= 2) {
    const int before = __shfl_up_sync(kAll, value, apart);
    if (threadIdx.x % 32 >= apart) value += before;
  }
  return value;
}

// Scans a tile; its sum goes to sums[tile].
__global__ void scan_tiles(int* out, const int* in, int* sums, int n) {
  __shared__ int part[kThreads / 32];
  const int tid = threadIdx.x, i = blockIdx.x * kTile + kEach * tid;
  int x[kEach];
  if (i + 3 < n)
    *reinterpret_cast<int4*>(x) = *reinterpret_cast<const int4*>(in + i);
  else
    for (int e = 0; e < kEach; ++e) x[e] = i + e < n ? in[i + e] : 0;
  for (int e = 1; e < kEach; ++e) x[e] += x[e - 1];
  const int up_to = up_to_lane(x[kEach - 1]);
  if (tid % 32 == 31) part[tid / 32] = up_to;
  __syncthreads();
  int before = up_to - x[kEach - 1];
  const int parts = up_to_lane(tid % 32 < kThreads / 32 ? part[tid % 32] : 0);
  const int warps_before =
      __shfl_sync(kAll, parts, tid >= 32 ? tid / 32 - 1 : 0);
  if (tid >= 32) before += warps_before;
  for (int e = 0; e < kEach; ++e) x[e] += before;
  if (i + 3 < n)
    *reinterpret_cast<int4*>(out + i) = *reinterpret_cast<const int4*>(x);
  else
    for (int e = 0; e < kEach; ++e)
      if (i + e < n) out[i + e] = x[e];
  if (tid == kThreads - 1) sums[blockIdx.x] = x[kEach - 1];
}

__global__ void add(int* out, const int* sums, int n) {
  const int i = (blockIdx.x + 1) * kTile + kEach * threadIdx.x,
            more = sums[blockIdx.x];
  if (i + 3 < n) {
    int4 x = *reinterpret_cast<int4*>(out + i);
    x.x += more, x.y += more, x.z += more, x.w += more;
    *reinterpret_cast<int4*>(out + i) = x;
  } else {
    for (int e = 0; e < kEach; ++e)
      if (i + e < n) out[i + e] += more;
  }
}

void scan(int* out, const int* in, int n) {
  if (n == 0) return;
  const int tiles = (n + kTile - 1) / kTile;
  int *sums = nullptr, *scanned = nullptr;
  cudaMalloc(&sums, (tiles + 1) * sizeof(int));
  cudaMalloc(&scanned, (tiles + 1) * sizeof(int));
  scan_tiles<<<tiles, kThreads>>>(out, in, sums, n);
  if (tiles > 1) {
    scan(scanned, sums, tiles);
    add<<<tiles - 1, kThreads>>>(out, scanned, n);
  }
  cudaFree(sums);
  cudaFree(scanned);
}
