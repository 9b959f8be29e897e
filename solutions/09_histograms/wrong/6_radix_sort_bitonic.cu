// wrong: traffic: a bitonic sort, whose keys meet 78 times in shared memory
#include <climits>

constexpr int kTile = 4096, kThreads = 1024;

__global__ void sort_tile(int* out, const int* in, int n) {
  __shared__ int tile[2][kTile];
  const int t = threadIdx.x, first = blockIdx.x * kTile;
  int key[4];  // t, t + 1,024, t + 2,048, t + 3,072
  for (int k = 0; k < 4; ++k) {
    const int i = first + t + kThreads * k;
    key[k] = i < n ? in[i] : INT_MAX;
  }
  int turn = 0;
  for (int size = 2; size <= kTile; size *= 2)
    for (int apart = size / 2; apart > 0; apart /= 2) {
      for (int k = 0; k < 4; ++k) tile[turn][t + kThreads * k] = key[k];
      __syncthreads();
      for (int k = 0; k < 4; ++k) {
        const int i = t + kThreads * k, other = tile[turn][i ^ apart];
        const bool rises = (i & size) == 0, front = (i & apart) == 0;
        key[k] = rises == front ? min(key[k], other) : max(key[k], other);
      }
      turn ^= 1;
    }
  for (int k = 0; k < 4; ++k) {
    const int i = first + t + kThreads * k;
    if (i < n) out[i] = key[k];
  }
}

void sort_tiles(int* out, const int* in, int n) {
  if (n > 0) sort_tile<<<(n + kTile - 1) / kTile, kThreads>>>(out, in, n);
}
