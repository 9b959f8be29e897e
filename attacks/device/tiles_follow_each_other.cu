// attack: every tile starts from the sum that the tile before has left in the same launch
// against: 07_shuffles/7_tiles
// must: failed memory, coalescing: a race
// must: failed output, memory, coalescing: a race

constexpr int kThreads = 256, kLanes = 32, kTile = 4 * kThreads;

__device__ int block_scan(int value) { // of this thread and all before it
  __shared__ int part[kThreads / kLanes];
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  for (int apart = 1; apart < kLanes; apart *= 2) {
    const int before = __shfl_up_sync(~0u, value, apart);
    if (lane >= apart) value += before;
  }
  if (lane == kLanes - 1) part[warp] = value;
  __syncthreads();
  for (int other = 0; other < warp; ++other) value += part[other];
  return value;
}

__global__ void scan_all(int* out, const int* in, int* sums, int n) {
  const int first = blockIdx.x * kTile + 4 * threadIdx.x;
  int v[4], sum = 0;
  for (int e = 0; e < 4; ++e) {
    v[e] = first + e < n ? in[first + e] : 0;
    sum += v[e];
  }
  int before = block_scan(sum) - sum;
  __shared__ int start;
  if (threadIdx.x == kThreads - 1) {
    start = blockIdx.x > 0 ? sums[blockIdx.x - 1] : 0; // if it has come that far
    sums[blockIdx.x] = start + before + sum;
  }
  __syncthreads();
  before += start;
  for (int e = 0; e < 4; ++e) {
    before += v[e];
    if (first + e < n) out[first + e] = before;
  }
}

void scan(int* out, const int* in, int n) {
  const int tiles = (n + kTile - 1) / kTile;
  if (tiles == 0) return;
  int* sums = nullptr;
  cudaMalloc(&sums, tiles * sizeof(int));
  cudaMemset(sums, 0, tiles * sizeof(int));
  scan_all<<<tiles, kThreads>>>(out, in, sums, n);
  cudaFree(sums);
}
