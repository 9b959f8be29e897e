// 07_shuffles/3_warp_sum: a sum without memory
//
// out[w] becomes the sum of elements 32 * w to 32 * w + 31 of `in`; the last
// sum may have fewer. The kernel below is right: a tree in shared memory, with
// a barrier of the warp in each round, as at the end of lab 04. All of it is
// there only to carry a number from one lane to another.
//
// Do it with shuffles: five rounds, no shared memory, no barrier. All lanes
// have to take part, with a 0 where there is no element.
//
//   ./course grade 07_shuffles/3_warp_sum    what is right, what is not
//   ./course hint  07_shuffles/3_warp_sum    one nudge more each time

constexpr int kLanes = 32;
constexpr int kThreads = 256;
constexpr unsigned kAll = 0xffffffff;  // every lane of the warp takes part

//! [kernel]
// The sum of all lanes' values, in lane 0 at least.
__device__ float warp_sum(float value) {
  // Your work begins here.
  // TODO: five shuffles.
  __shared__ float part[kThreads];
  const int lane = threadIdx.x % kLanes, first = threadIdx.x - lane;
  part[first + lane] = value;
  for (int apart = kLanes / 2; apart > 0; apart /= 2) {
    __syncwarp(kAll);
    if (lane < apart) part[first + lane] += part[first + lane + apart];
  }
  return part[first + lane];
  // Your work ends here.
}

__global__ void sum_warps(float* out, const float* in, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const float sum = warp_sum(i < n ? in[i] : 0.0f);
  if (i < n && i % kLanes == 0) out[i / kLanes] = sum;
}
//! [kernel]

void warp_sums(float* out, const float* in, int n) {
  if (n == 0) return;  // a grid must not be empty
  sum_warps<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
