// 07_shuffles/4_block_sum: one shared word per warp
//
// out[b] becomes the sum of elements 512 * b to 512 * b + 511 of `in`; the last
// sum may have fewer. Each warp of a block has the sum of its own 32 elements,
// by exercise 3. Lanes of different warps cannot shuffle: their sums have to
// meet in shared memory, in one word for each warp. One barrier of the block is
// enough, and the 16 words are then a job for one warp, and five more shuffles.
// Below, the first warp's sum is taken for all.
//
//   ./course grade 07_shuffles/4_block_sum    what is right, what is not
//   ./course hint  07_shuffles/4_block_sum    one nudge more each time

constexpr int kLanes = 32;
constexpr int kThreads = 512;
constexpr unsigned kAll = 0xffffffff;  // every lane of the warp takes part

//! [kernel]
__device__ float warp_sum(float value) {
#pragma unroll
  for (int apart = kLanes / 2; apart > 0; apart /= 2)
    value += __shfl_down_sync(kAll, value, apart);
  return value;
}

__global__ void sum_blocks(float* out, const float* in, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  float sum = warp_sum(i < n ? in[i] : 0.0f);
  // Your work begins here.
  // TODO: the sums of the other warps.
  // Your work ends here.
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
//! [kernel]

void block_sums(float* out, const float* in, int n) {
  if (n == 0) return;  // a grid must not be empty
  sum_blocks<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
