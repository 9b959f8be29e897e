// honest: counts with an increment that is 0 again behind the last block

constexpr int kThreads = 256, kPiece = 4 * kThreads;

__device__ unsigned
    finished;  // blocks that are done; 0 before the first launch

__global__ void ends(int* out, const int* in, int n) {
  __shared__ int part[kThreads];
  const int tid = threadIdx.x;
  int sum = 0;
  for (int e = 0; e < kPiece; e += kThreads) {
    const int i = blockIdx.x * kPiece + tid + e;
    if (i < n) sum += in[i];
  }
  part[tid] = sum;
  __syncthreads();
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < apart) part[tid] += part[tid + apart];
    __syncthreads();
  }
  if (tid == 0) {
    out[blockIdx.x] = part[0];
    __threadfence();
    if (atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1) {
      __threadfence();
      for (int b = 1; b < gridDim.x; ++b) out[b] += out[b - 1];
    }
  }
}

void ends_of_pieces(int* out, const int* in, int n, int arrays) {
  const int pieces = (n + kPiece - 1) / kPiece;
  for (int a = 0; a < arrays && n > 0; ++a)  // a grid must not be empty
    ends<<<pieces, kThreads>>>(out + a * pieces, in + a * n, n);
}
