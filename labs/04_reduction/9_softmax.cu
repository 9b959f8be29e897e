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
  // TODO: one pass for both, and one tree.
  __shared__ float part[kThreads];
  float own = -INFINITY;
  for (int c = tid; c < cols; c += kThreads) own = fmaxf(own, row[c]);
  part[tid] = own;
  __syncthreads();
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < apart) part[tid] = fmaxf(part[tid], part[tid + apart]);
    __syncthreads();
  }
  const float most = part[0];
  __syncthreads();
  own = 0;
  for (int c = tid; c < cols; c += kThreads) own += __expf(row[c] - most);
  part[tid] = own;
  __syncthreads();
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < apart) part[tid] += part[tid + apart];
    __syncthreads();
  }
  const float sum = part[0];
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
