// 04_reduction/7_largest: a blank page, and the largest of each piece
//
// Every 1,024 elements of `in` are a piece; the last may have fewer. For piece
// p, out[2 * p] becomes its largest element, and out[2 * p + 1] the place of
// that in the piece, from 0 to 1,023. Where the largest is there several times,
// it is the first that counts. There may be no element at all.
//
// The page is blank. Read each element once, by neighbouring lanes, and let the
// threads of a block find out in shared memory whose is the largest.
//
//   ./course grade 04_reduction/7_largest    what is right, and what is not
//   ./course hint  04_reduction/7_largest    one nudge more each time

//! [kernel]
// Your work begins here.
constexpr int kThreads = 256, kEach = 4, kPiece = kThreads * kEach;

struct Found {
  float value;
  int place;
};

// Which of two comes out on top does not depend on their order.
__device__ Found better(Found a, Found b) {
  const bool first = a.value == b.value ? a.place < b.place : a.value > b.value;
  return first ? a : b;
}

__global__ void largest_of_piece(float* out, const float* in, int n) {
  __shared__ float values[kThreads];  // two arrays: words side by side
  __shared__ int places[kThreads];
  const int tid = threadIdx.x;
  float own[kEach];  // all loads are under way before one is waited for
  for (int e = 0; e < kEach; ++e) {
    const int i = blockIdx.x * kPiece + kThreads * e + tid;
    own[e] = i < n ? in[i] : -INFINITY;
  }
  Found best{-INFINITY, kPiece};  // loses to every element
  for (int e = 0; e < kEach; ++e)
    best = better(best, {own[e], kThreads * e + tid});

  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < 2 * apart) values[tid] = best.value, places[tid] = best.place;
    __syncthreads();
    if (tid < apart)
      best = better(best, {values[tid + apart], places[tid + apart]});
    __syncthreads();
  }
  if (tid == 0) {
    out[2 * blockIdx.x] = best.value;
    out[2 * blockIdx.x + 1] = best.place;
  }
}

void largest(float* out, const float* in, int n) {
  if (n == 0) return;  // a grid must not be empty
  largest_of_piece<<<(n + kPiece - 1) / kPiece, kThreads>>>(out, in, n);
}
// Your work ends here.
//! [kernel]
