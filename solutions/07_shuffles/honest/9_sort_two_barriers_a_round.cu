// honest: two keys per thread, 512 apart; one array, and half as many warps
// wait at each of two barriers
#include <climits>

constexpr int kTile = 1024, kThreads = kTile / 2;

__device__ int kept(int key, int other, bool smaller) {
  return smaller ? min(key, other) : max(key, other);
}

__global__ void sort_tile(int* out, const int* in, int n) {
  __shared__ int tile[kTile];
  const int t = threadIdx.x, first = blockIdx.x * kTile;
  int key[2];
  for (int h = 0; h < 2; ++h) {
    const int i = first + t + h * kThreads;
    key[h] = i < n ? in[i] : INT_MAX;
  }
  for (int size = 2; size <= kTile; size *= 2)
    for (int apart = size / 2; apart > 0; apart /= 2) {
      if (apart == kThreads) {  // a thread has both
        const int smaller = min(key[0], key[1]);
        key[1] = max(key[0], key[1]);
        key[0] = smaller;
        continue;
      }
      int other[2];
      if (apart < 32) {
        for (int h = 0; h < 2; ++h)
          other[h] = __shfl_xor_sync(0xffffffff, key[h], apart);
      } else {
        for (int h = 0; h < 2; ++h) tile[t + h * kThreads] = key[h];
        __syncthreads();
        for (int h = 0; h < 2; ++h) other[h] = tile[(t ^ apart) + h * kThreads];
        __syncthreads();
      }
      for (int h = 0; h < 2; ++h) {
        const int k = t + h * kThreads;
        key[h] =
            kept(key[h], other[h], ((k & size) == 0) == ((k & apart) == 0));
      }
    }
  for (int h = 0; h < 2; ++h) {
    const int i = first + t + h * kThreads;
    if (i < n) out[i] = key[h];
  }
}

void sort_tiles(int* out, const int* in, int n) {
  if (n > 0) sort_tile<<<(n + kTile - 1) / kTile, kThreads>>>(out, in, n);
}
