// honest: four neighbouring keys per thread, so that two distances stay in it
#include <climits>

constexpr int kTile = 1024, kEach = 4, kThreads = kTile / kEach;

__device__ void meet(int& front, int& back, bool rises) {
  const int smaller = min(front, back), larger = max(front, back);
  front = rises ? smaller : larger;
  back = rises ? larger : smaller;
}

__global__ void sort_tile(int* out, const int* in, int n) {
  __shared__ int4 tile[2][kThreads];
  const int t = threadIdx.x, first = blockIdx.x * kTile + kEach * t;
  int key[kEach];
  if (first + kEach <= n) {
    *reinterpret_cast<int4*>(key) = *reinterpret_cast<const int4*>(in + first);
  } else {
    for (int e = 0; e < kEach; ++e)
      key[e] = first + e < n ? in[first + e] : INT_MAX;
  }
  int turn = 0;
#pragma unroll
  for (int size = 2; size <= kTile; size *= 2)
#pragma unroll
    for (int apart = size / 2; apart > 0; apart /= 2) {
      const int k = kEach * t;
      if (apart == 1) {
        meet(key[0], key[1], (k & size) == 0);
        meet(key[2], key[3], ((k + 2) & size) == 0);
      } else if (apart == 2) {
        meet(key[0], key[2], (k & size) == 0);
        meet(key[1], key[3], (k & size) == 0);
      } else {
        const int threads = apart / kEach;
        int other[kEach];
        if (threads < 32) {
#pragma unroll
          for (int e = 0; e < kEach; ++e)
            other[e] = __shfl_xor_sync(0xffffffff, key[e], threads);
        } else {
          tile[turn][t] = make_int4(key[0], key[1], key[2], key[3]);
          __syncthreads();
          const int4 four = tile[turn][t ^ threads];
          other[0] = four.x, other[1] = four.y;
          other[2] = four.z, other[3] = four.w;
          turn ^= 1;
        }
        const bool smaller = ((k & size) == 0) == ((k & apart) == 0);
#pragma unroll
        for (int e = 0; e < kEach; ++e)
          key[e] = smaller ? min(key[e], other[e]) : max(key[e], other[e]);
      }
    }
  if (first + kEach <= n) {
    *reinterpret_cast<int4*>(out + first) = *reinterpret_cast<int4*>(key);
  } else {
    for (int e = 0; e < kEach; ++e)
      if (first + e < n) out[first + e] = key[e];
  }
}

void sort_tiles(int* out, const int* in, int n) {
  if (n > 0) sort_tile<<<(n + kTile - 1) / kTile, kThreads>>>(out, in, n);
}
