// honest: turned while it is stored, not while it is loaded

constexpr int kThreads = 256;

__global__ void turn(float* out, const float* in) {
  __shared__ float part[kThreads];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  part[kThreads - 1 - threadIdx.x] = in[i];
  __syncthreads();
  out[i] = part[threadIdx.x];
}

void turn_around(float* out, const float* in, int n) {
  if (n > 0) turn<<<n / kThreads, kThreads>>>(out, in);
}
