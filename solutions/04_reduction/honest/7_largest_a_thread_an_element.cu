// honest: 1,024 threads per block, an element each

constexpr int kThreads = 1024, kEach = 1, kPiece = kThreads * kEach;

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
