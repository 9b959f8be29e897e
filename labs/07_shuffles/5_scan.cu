// 07_shuffles/5_scan: every sum from the start
//
// `in` is cut into groups of 32, and the last may have fewer. out[i] becomes
// the sum of all elements of its group from the group's start to in[i], itself
// included. A warp takes a group. In warp_scan, a lane adds by shuffles what
// the lane 1 before it has, then 2, 4, 8 and 16 before it, where there is such
// a lane. Groups meet in the next exercise.
//
//   ./course grade 07_shuffles/5_scan    what is right, what is not, and where
//   ./course hint  07_shuffles/5_scan    one nudge more each time

constexpr int kLanes = 32, kThreads = 256;
constexpr unsigned kAll = 0xffffffff;  // every lane of the warp takes part

//! [kernel]
__device__ int warp_scan(int value) {  // of this lane and all before it
  // Your work begins here.
  // TODO: the rounds for 2, 4, 8 and 16, and who must not add.
  value += __shfl_up_sync(kAll, value, 1);
  // Your work ends here.
  return value;
}

__global__ void scan_groups(int* out, const int* in, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int sum = warp_scan(i < n ? in[i] : 0);
  if (i < n) out[i] = sum;
}
//! [kernel]

void scan(int* out, const int* in, int n) {
  if (n == 0) return;  // a grid must not be empty
  scan_groups<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
