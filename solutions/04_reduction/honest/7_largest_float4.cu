// honest: a thread has four neighbours, and the first warp most of the pieces'
// largest

constexpr int kThreads = 256;
struct Pair {
  float value;
  int place;
};
__device__ Pair better(Pair a, Pair b) {
  return b.value > a.value || (b.value == a.value && b.place < a.place) ? b : a;
}
__global__ void find(float* out, const float* in, int n) {
  __shared__ float values[kThreads];
  __shared__ short places[kThreads];
  const int t = threadIdx.x, first = 1024 * blockIdx.x + 4 * t;
  Pair own = {-INFINITY, 1024};
  if (first + 3 < n) {
    const float4 v = *reinterpret_cast<const float4*>(in + first);
    own = better(better({v.x, 4 * t}, {v.y, 4 * t + 1}),
                 better({v.z, 4 * t + 2}, {v.w, 4 * t + 3}));
  } else {
    for (int e = 0; first + e < n; ++e)
      own = better(own, {in[first + e], 4 * t + e});
  }
  values[t] = own.value;
  places[t] = own.place;
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    __syncthreads();
    if (t < apart) {
      own = better(own, {values[t + apart], places[t + apart]});
      values[t] = own.value;
      places[t] = own.place;
    }
  }
  if (t == 0) {
    out[2 * blockIdx.x] = own.value;
    out[2 * blockIdx.x + 1] = own.place;
  }
}
void largest(float* out, const float* in, int n) {
  if (n == 0) return;
  find<<<(n + 1023) / 1024, kThreads>>>(out, in, n);
}
