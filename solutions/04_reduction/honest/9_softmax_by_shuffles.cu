// honest: warps find out by shuffles, and meet in a pair of words each

constexpr int kThreads = 256, kWarps = kThreads / 32;

struct Pair {
  float most, sum;
};

__device__ Pair together(Pair a, Pair b) {
  if (a.sum == 0) return b;
  if (b.sum == 0) return a;
  const float most = fmaxf(a.most, b.most);
  return {most, a.sum * __expf(a.most - most) + b.sum * __expf(b.most - most)};
}

__device__ Pair of_warp(Pair own) {
  for (int by = 16; by > 0; by /= 2)
    own = together(own, {__shfl_xor_sync(0xffffffff, own.most, by),
                         __shfl_xor_sync(0xffffffff, own.sum, by)});
  return own;
}

__global__ void share_rows(float* out, const float* in, int cols) {
  __shared__ float mosts[kWarps], sums[kWarps];
  const int tid = threadIdx.x;
  in += static_cast<long long>(blockIdx.x) * cols;
  out += static_cast<long long>(blockIdx.x) * cols;
  Pair own{-INFINITY, 0};
  for (int c = tid; c < cols; c += kThreads) own = together(own, {in[c], 1});
  own = of_warp(own);
  if (tid % 32 == 0) mosts[tid / 32] = own.most, sums[tid / 32] = own.sum;
  __syncthreads();
  own = of_warp(
      {mosts[tid % kWarps], tid % 32 < kWarps ? sums[tid % kWarps] : 0});
  for (int c = tid; c < cols; c += kThreads)
    out[c] = __expf(in[c] - own.most) / own.sum;
}

void softmax(float* out, const float* in, int rows, int cols) {
  if (rows > 0) share_rows<<<rows, kThreads>>>(out, in, cols);
}
