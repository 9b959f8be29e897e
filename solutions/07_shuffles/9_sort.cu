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
constexpr int kThreads = kTile;  // one for each key
constexpr int kLanes = 32;

__global__ void sort_tile(int* out, const int* in, int n) {
  __shared__ int tile[2][kTile];
  const int t = threadIdx.x, i = blockIdx.x * kTile + t;
  int key = i < n ? in[i] : INT_MAX;  // the last, where there is none
  int turn = 0;
#pragma unroll
  for (int size = 2; size <= kTile; size *= 2)
#pragma unroll
    for (int apart = size / 2; apart > 0; apart /= 2) {
      int other;
      if (apart < kLanes) {
        other = __shfl_xor_sync(0xffffffff, key, apart);
      } else {  // two arrays in turns: nobody still reads what is overwritten
        tile[turn][t] = key;
        __syncthreads();
        other = tile[turn][t ^ apart];
        turn ^= 1;
      }
      const bool rises = (t & size) == 0, front = (t & apart) == 0;
      key = rises == front ? min(key, other) : max(key, other);
    }
  if (i < n) out[i] = key;
}
// Your work ends here.
//! [kernel]

void sort_tiles(int* out, const int* in, int n) {
  if (n == 0) return;  // a grid must not be empty
  sort_tile<<<(n + kTile - 1) / kTile, kThreads>>>(out, in, n);
}
