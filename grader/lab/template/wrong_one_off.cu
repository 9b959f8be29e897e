// wrong: output: each number is one place too far

constexpr int kThreads = 256;

__global__ void turn(float* out, const float* in) {
  __shared__ float part[kThreads];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  part[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = part[(kThreads - threadIdx.x) % kThreads];
}

void turn_around(float* out, const float* in, int n) {
  if (n > 0) turn<<<n / kThreads, kThreads>>>(out, in);
}
