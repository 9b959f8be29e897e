// wrong: uses: one block walks through all pieces, and waits for nobody

constexpr int kThreads = 256, kPiece = 4 * kThreads;
__global__ void ends(int* out, const int* in, int n) {
  __shared__ int part[kThreads];
  const int tid = threadIdx.x;
  int end = 0;
  for (int piece = 0; piece * kPiece < n; ++piece) {
    int sum = 0;
    for (int e = 0; e < kPiece; e += kThreads) {
      const int i = piece * kPiece + tid + e;
      if (i < n) sum += in[i];
    }
    part[tid] = sum;
    __syncthreads();
    for (int apart = kThreads / 2; apart > 0; apart /= 2) {
      if (tid < apart) part[tid] += part[tid + apart];
      __syncthreads();
    }
    if (tid == 0) out[piece] = end += part[0];
    __syncthreads();
  }
}
void ends_of_pieces(int* out, const int* in, int n, int arrays) {
  const int pieces = (n + kPiece - 1) / kPiece;
  for (int a = 0; a < arrays && n > 0; ++a)
    ends<<<1, kThreads>>>(out + a * pieces, in + a * n, n);
}
