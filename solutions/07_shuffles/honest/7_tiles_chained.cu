// honest: scans in one pass, where each tile waits for the sum of the one
// before it
#include <cuda/atomic>

constexpr int kLanes = 32, kWarps = 8, kThreads = kLanes * kWarps;
constexpr int kTile = 4 * kThreads;
constexpr unsigned kAll = 0xffffffff;

__device__ int4 four(const int* in, int n, int i) {  // zeros behind the end
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
  const int parts = warp_scan(lane < kWarps ? part[lane] : 0);
  const int before = __shfl_sync(kAll, parts, warp > 0 ? warp - 1 : 0);
  return warp > 0 ? value + before : value;
}

// sums[t]: up to the end of tile t, which is there when flags[t] is 1.
__global__ void scan_once(int* out, const int* in, int n, int* sums, int* flags,
                          unsigned* next) {
  __shared__ int drawn, before_tile;
  if (threadIdx.x == 0)
    drawn = atomicAdd(next, 1);  // a lower number has begun already
  __syncthreads();
  const int tile = drawn, i = tile * kTile + 4 * threadIdx.x;
  const int4 v = four(in, n, i);
  const int own = block_scan(v.x + v.y + v.z + v.w);
  if (threadIdx.x == kThreads - 1) {
    int before = 0;
    if (tile > 0) {
      cuda::atomic_ref<int, cuda::thread_scope_device> flag(flags[tile - 1]);
      while (flag.load(cuda::memory_order_acquire) == 0) {
      }
      before = sums[tile - 1];
    }
    sums[tile] = before + own;
    cuda::atomic_ref<int, cuda::thread_scope_device>(flags[tile])
        .store(1, cuda::memory_order_release);
    before_tile = before;
  }
  __syncthreads();
  const int w = before_tile + own, z = w - v.w, y = z - v.z, x = y - v.y;
  if (i + 3 < n)
    *reinterpret_cast<int4*>(out + i) = {x, y, z, w};
  else
    for (int e = 0; e < 3; ++e)
      if (i + e < n) out[i + e] = e == 0 ? x : e == 1 ? y : z;
}

void scan(int* out, const int* in, int n) {
  const int tiles = (n + kTile - 1) / kTile;
  if (tiles == 0) return;
  int* memory = nullptr;  // sums, flags, and the next tile's number
  const std::size_t bytes = (2 * tiles + 1) * sizeof(int);
  cudaMalloc(&memory, bytes);
  cudaMemset(memory, 0, bytes);
  scan_once<<<tiles, kThreads>>>(
      out, in, n, memory, memory + tiles,
      reinterpret_cast<unsigned*>(memory + 2 * tiles));
  cudaFree(memory);
}
