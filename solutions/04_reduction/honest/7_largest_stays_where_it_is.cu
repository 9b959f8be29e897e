// honest: stores only what is larger, so that a largest of the first warp stays
constexpr int kThreads = 256, kPiece = 1024;

__global__ void find(float* out, const float* in, int n) {
  __shared__ float most[kThreads];
  __shared__ int place[kThreads];
  const int t = threadIdx.x, first = blockIdx.x * kPiece;
  float mine = -INFINITY;
  int at = kPiece;
  for (int e = t; e < kPiece; e += kThreads)
    if (first + e < n && (at == kPiece || in[first + e] > mine)) {
      mine = in[first + e];
      at = e;
    }
  most[t] = mine;
  place[t] = at;
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    __syncthreads();
    if (t >= apart) continue;
    const float other = most[t + apart];
    const int there = place[t + apart];
    if (other < most[t]) continue;
    if (other == most[t] && place[t] < there) continue;
    most[t] = other;
    place[t] = there;
  }
  if (t == 0) {
    out[2 * blockIdx.x] = most[0];
    out[2 * blockIdx.x + 1] = place[0];
  }
}

void largest(float* out, const float* in, int n) {
  if (n == 0) return;
  find<<<(n + kPiece - 1) / kPiece, kThreads>>>(out, in, n);
}
