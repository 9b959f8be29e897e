// honest: begins with the least number that a float can have

#include <cfloat>

constexpr int kThreads = 256, kPiece = 1024;

__global__ void largest_of_piece(float* out, const float* in, int n) {
  __shared__ float value[kThreads];
  __shared__ int place[kThreads];
  const int tid = threadIdx.x, first = blockIdx.x * kPiece;
  float best = -FLT_MAX;
  int at = kPiece;
  for (int i = tid; i < kPiece && first + i < n; i += kThreads)
    if (const float own = in[first + i]; own > best) best = own, at = i;
  value[tid] = best;
  place[tid] = at;
  __syncthreads();
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < apart) {
      const float other = value[tid + apart];
      if (other > value[tid] ||
          (other == value[tid] && place[tid + apart] < place[tid])) {
        value[tid] = other;
        place[tid] = place[tid + apart];
      }
    }
    __syncthreads();
  }
  if (tid == 0) {
    out[2 * blockIdx.x] = value[0];
    out[2 * blockIdx.x + 1] = place[0];
  }
}

void largest(float* out, const float* in, int n) {
  if (n > 0)
    largest_of_piece<<<(n + kPiece - 1) / kPiece, kThreads>>>(out, in, n);
}
