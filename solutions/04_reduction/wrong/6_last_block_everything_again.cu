// wrong: kernel, coalescing, uses: each block adds up all before its piece

constexpr int kThreads = 256, kPiece = 4 * kThreads;

__global__ void ends(int* out, const int* in, int n) {
  __shared__ int part[kThreads];
  const int tid = threadIdx.x;
  int sum = 0;
  for (int i = tid; i < n && i < (blockIdx.x + 1) * kPiece; i += kThreads)
    sum += in[i];
  part[tid] = sum;
  __syncthreads();
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < apart) part[tid] += part[tid + apart];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}

void ends_of_pieces(int* out, const int* in, int n, int arrays) {
  const int pieces = (n + kPiece - 1) / kPiece;
  for (int a = 0; a < arrays && n > 0; ++a)  // a grid must not be empty
    ends<<<pieces, kThreads>>>(out + a * pieces, in + a * n, n);
}
