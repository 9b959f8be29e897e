// 06_constant_memory/1_stencil: nine points, and five constants for all lanes
//
// out[i] = c0 * in[i] + the sum of ck * (in[i + k] - in[i - k]) for k = 1 to 4.
// Where `in` has no element, before its first and after its last, count a 0.
// `n` is any number, and both arrays begin at multiples of 256 bytes.
//
// All lanes of a warp want the same constant at the same time: that is what
// constant memory is made for. `coef` is declared below, and nobody fills it:
// cudaMemcpyToSymbol copies to it from an array of the host. Do that first, and
// grade: the kernel is right, but a thread loads the four elements that it
// works for, the four before and the four after. Everything is loaded three
// times. On a GPU, note its time; without one, guess: how many copies' worth?
//
// Now the tile: let a block load its elements once, into shared memory, and one
// float4 more on either side, the halo. Grade again, and compare. Whether a
// tile pays is a question for a clock; that you can build one is graded here.
//
//   ./course grade 06_constant_memory/1_stencil    what is right, what is not
//   ./course hint  06_constant_memory/1_stencil    one nudge more each time

constexpr int kRadius = 4;                // as many as a float4 has
constexpr int kThreads = 128, kEach = 2;  // float4s of a thread
constexpr int kFours = kEach * kThreads;  // and of a block

__constant__ float coef[kRadius + 1];

__device__ float4 four(const float* in, int n, int i) {  // zeros outside
  if (i < 0 || i >= n) return {0, 0, 0, 0};
  if (i + 3 < n) return *reinterpret_cast<const float4*>(in + i);
  return {in[i], i + 1 < n ? in[i + 1] : 0, i + 2 < n ? in[i + 2] : 0, 0};
}

__device__ void points(float* out, int n, int i, float4 before, float4 own,
                       float4 behind) {
  const float x[12] = {before.x, before.y, before.z, before.w,
                       own.x,    own.y,    own.z,    own.w,
                       behind.x, behind.y, behind.z, behind.w};
  float sum[4];
#pragma unroll
  for (int e = 0; e < 4; ++e) {
    sum[e] = coef[0] * x[4 + e];
#pragma unroll
    for (int k = 1; k <= kRadius; ++k)
      sum[e] += coef[k] * (x[4 + e + k] - x[4 + e - k]);
  }
  if (i + 3 < n)
    *reinterpret_cast<float4*>(out + i) = {sum[0], sum[1], sum[2], sum[3]};
  else
    for (int e = 0; e < 3; ++e)
      if (i + e < n) out[i + e] = sum[e];
}

//! [kernel]
__global__ void nine_points(float* out, const float* in, int n) {
  const int t = threadIdx.x, first = 4 * kFours * blockIdx.x;
  // Your work begins here.
  __shared__ float4 tile[kFours + 2];
  float4 own[kEach];  // both loads are under way before one is waited for
  for (int e = 0; e < kEach; ++e)
    own[e] = four(in, n, first + 4 * (t + e * kThreads));
  for (int e = 0; e < kEach; ++e) tile[1 + t + e * kThreads] = own[e];
  if (t == 0) tile[0] = four(in, n, first - 4);
  if (t == kThreads - 1) tile[kFours + 1] = four(in, n, first + 4 * kFours);
  __syncthreads();
  for (int e = 0; e < kEach; ++e) {
    const int at = t + e * kThreads;
    points(out, n, first + 4 * at, tile[at], own[e], tile[at + 2]);
  }
  // Your work ends here.
}
//! [kernel]

void stencil(float* out, const float* in, int n, float c0, float c1, float c2,
             float c3, float c4) {
  if (n == 0) return;  // a grid must not be empty
  const float constants[kRadius + 1] = {c0, c1, c2, c3, c4};
  // Your work begins here.
  cudaMemcpyToSymbolAsync(coef, constants, sizeof constants);  // no waiting
  // Your work ends here.
  const int blocks = (n + 4 * kFours - 1) / (4 * kFours);
  nine_points<<<blocks, kThreads>>>(out, in, n);
}
