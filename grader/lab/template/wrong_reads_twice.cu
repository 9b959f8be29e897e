// wrong: coalescing: each number is read twice

constexpr int kThreads = 256;

__global__ void turn(float* out, const float* in) {
  __shared__ float part[kThreads];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const volatile float* again = in;
  part[threadIdx.x] = again[i];
  part[threadIdx.x] = again[i];
  __syncthreads();
  out[i] = part[kThreads - 1 - threadIdx.x];
}

void turn_around(float* out, const float* in, int n) {
  if (n > 0) turn<<<n / kThreads, kThreads>>>(out, in);
}
