// 07_shuffles/2_butterfly: lanes exchange a struct
//
// Lane l and lane l ^ mask of a warp exchange what they have, so out[i] is the
// body of element i's partner. `mask` is from 1 to 31. At the end of `in`, a
// body without a partner stays as it is; no lane may read from one that left.
//
// A shuffle moves one register: 4 bytes (8 for a double, in two steps). A
// struct moves field by field, an array element by element, in a loop that the
// compiler can unroll; an index it does not know would put the array in memory.
// Below, two of the five fields are exchanged. Do it for all, with no more
// shuffles than the body has floats, and without shared memory.
//
//   ./course grade 07_shuffles/2_butterfly    what is right, what is not
//   ./course hint  07_shuffles/2_butterfly    one nudge more each time

struct Body {
  float mass, charge, radius, heat;
  float at[4];  // in space and time
};

constexpr int kThreads = 128;
constexpr unsigned kAll = 0xffffffff;  // every lane of the warp takes part

//! [kernel]
__device__ Body partners(Body mine, int mask) {
  Body other = mine;
  other.mass = __shfl_xor_sync(kAll, mine.mass, mask);
  other.charge = __shfl_xor_sync(kAll, mine.charge, mask);
  // Your work begins here.
  other.radius = __shfl_xor_sync(kAll, mine.radius, mask);
  other.heat = __shfl_xor_sync(kAll, mine.heat, mask);
#pragma unroll
  for (int d = 0; d < 4; ++d)
    other.at[d] = __shfl_xor_sync(kAll, mine.at[d], mask);
  // Your work ends here.
  return other;
}

__global__ void exchange(Body* out, const Body* in, int n, int mask) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  // Your work begins here.
  // Lanes behind the end take part as well: others read from them.
  const int last = i < n ? i : n - 1;
  const Body mine = in[last];
  const Body other = partners(mine, mask);
  if (i < n) out[i] = (i ^ mask) < n ? other : mine;
  // Your work ends here.
}
//! [kernel]

void butterfly(Body* out, const Body* in, int n, int mask) {
  if (n == 0) return;  // a grid must not be empty
  exchange<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n, mask);
}
