// 04_reduction/9_softmax: the largest and the sum in one pass
//
// Each row of a matrix becomes shares of one: out[r][c] = exp(in[r][c]) over
// the sum of exp(in[r][i]) of its row. A float is too small for exp(89), so the
// largest element m of the row is taken from all of them first: exp(x - m).
// There may be no row. A row has at least one element, and any number of them.
//
// The kernel below is right, and reads each row three times: for m, for the
// sum, and for the shares. Where a row does not stay in a cache, that is four
// transfers per element: three loads and a store.
//
// Read each row at most twice. Find m and the sum in one pass: a thread keeps
// both, for the elements that it has seen, and when a larger m comes, it
// multiplies its sum so far by exp(old m - new m). Let it take four elements at
// a time, so that four loads are under way and one correction is for all four.
// Then let the threads of a block combine their pairs in shared memory, in a
// tree: the order does not matter.
//
//   ./course grade 04_reduction/9_softmax    what is right, and what is not
//   ./course hint  04_reduction/9_softmax    one nudge more each time

constexpr int kThreads = 256;  // of a block, and a block a row

//! [kernel]
__global__ void share_rows(float* __restrict__ out,
                           const float* __restrict__ in, int cols) {
  const int tid = threadIdx.x;
  const float* const row = in + static_cast<long long>(blockIdx.x) * cols;
  // Your work begins here.
  constexpr int kEach = 4;  // elements at a time
  __shared__ float mosts[kThreads], sums[kThreads];
  float most = -INFINITY, sum = 0;
  for (int c = tid; c < cols; c += kEach * kThreads) {
    float own[kEach], larger = most, powers = 0;
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
      const int i = c + e * kThreads;
      own[e] = i < cols ? row[i] : -INFINITY;  // whose power is 0
      larger = fmaxf(larger, own[e]);
    }
#pragma unroll
    for (int e = 0; e < kEach; ++e) powers += __expf(own[e] - larger);
    sum = sum * __expf(most - larger) + powers;
    most = larger;
  }
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < 2 * apart) mosts[tid] = most, sums[tid] = sum;
    __syncthreads();
    if (tid < apart && sums[tid + apart] > 0) {  // 0: it has seen nothing
      const float other = mosts[tid + apart], larger = fmaxf(most, other);
      sum = sum * __expf(most - larger) +
            sums[tid + apart] * __expf(other - larger);
      most = larger;
    }  // the next round stores where nobody reads now
  }
  if (tid == 0) mosts[0] = most, sums[0] = sum;
  __syncthreads();
  most = mosts[0];
  sum = sums[0];
  // Your work ends here.
  const float share = 1 / sum;
  float* const to = out + static_cast<long long>(blockIdx.x) * cols;
  for (int c = tid; c < cols; c += kThreads)
    to[c] = __expf(row[c] - most) * share;
}
//! [kernel]

void softmax(float* out, const float* in, int rows, int cols) {
  if (rows == 0) return;  // a grid must not be empty
  share_rows<<<rows, kThreads>>>(out, in, cols);
}
