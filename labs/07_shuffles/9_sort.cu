// 07_shuffles/9_sort: a sort of 1,024 keys, and where they meet
//
// Every 1,024 elements of `in` are a tile; the last may have fewer. In `out`,
// each tile is sorted, its smallest key first. There may be no key at all. Keys
// may be equal, and any int is one.
//
// The kernel below sorts. It is a bitonic network: in the round `apart`, key i
// meets key i ^ apart, and the smaller of the two goes to the front, or to the
// back if `i & size` is set. After the rounds size / 2, size / 4, ..., 1 every
// run of `size` keys is sorted, every other one downwards, and the next `size`
// makes one run of two of them. That takes 55 rounds, each with a barrier, and
// in 40 of them two lanes of a warp want the same bank.
//
// Give each key a lane. Partners in one warp exchange keys by a shuffle: no
// memory, no barrier. Only the 15 rounds between warps go through shared
// memory, without conflicts and with one barrier each.
//
//   ./course grade 07_shuffles/9_sort    what is right, and what is not
//   ./course hint  07_shuffles/9_sort    one nudge more each time
#include <climits>

constexpr int kTile = 1024;  // keys that are sorted together

//! [kernel]
// Your work begins here.
// TODO: a lane for each key, and shuffles for the rounds within a warp.
constexpr int kThreads = kTile / 2;  // one for each pair

__global__ void sort_tile(int* out, const int* in, int n) {
  __shared__ int tile[kTile];
  const int first = blockIdx.x * kTile;
  for (int k = threadIdx.x; k < kTile; k += kThreads)
    tile[k] = first + k < n ? in[first + k] : INT_MAX;
  for (int size = 2; size <= kTile; size *= 2)
    for (int apart = size / 2; apart > 0; apart /= 2) {
      __syncthreads();
      // Numbers without the bit `apart`: one of each pair has such a number.
      const int i = 2 * threadIdx.x - (threadIdx.x & (apart - 1));
      const int a = tile[i], b = tile[i + apart];
      const bool rises = (i & size) == 0;
      tile[i] = rises ? min(a, b) : max(a, b);
      tile[i + apart] = rises ? max(a, b) : min(a, b);
    }
  __syncthreads();
  for (int k = threadIdx.x; k < kTile; k += kThreads)
    if (first + k < n) out[first + k] = tile[k];
}
// Your work ends here.
//! [kernel]

void sort_tiles(int* out, const int* in, int n) {
  if (n == 0) return;  // a grid must not be empty
  sort_tile<<<(n + kTile - 1) / kTile, kThreads>>>(out, in, n);
}
