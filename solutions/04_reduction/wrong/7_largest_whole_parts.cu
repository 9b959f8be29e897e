// wrong: output: compares whole numbers, so 0.5 is no larger than 0

constexpr int kThreads = 256, kPiece = 1024;

__global__ void largest_of_piece(float* out, const float* in, int n) {
  __shared__ int
      best[kThreads];  // a value, and how far its place is from the end
  const int tid = threadIdx.x, first = blockIdx.x * kPiece;
  int own = INT_MIN;
  for (int place = tid; place < kPiece && first + place < n; place += kThreads)
    own = max(own, int(in[first + place]) * kPiece + kPiece - 1 - place);
  best[tid] = own;
  __syncthreads();
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < apart) best[tid] = max(best[tid], best[tid + apart]);
    __syncthreads();
  }
  if (tid == 0) {
    out[2 * blockIdx.x] = best[0] >> 10;
    out[2 * blockIdx.x + 1] = kPiece - 1 - (best[0] & (kPiece - 1));
  }
}

void largest(float* out, const float* in, int n) {
  if (n > 0)
    largest_of_piece<<<(n + kPiece - 1) / kPiece, kThreads>>>(out, in, n);
}
