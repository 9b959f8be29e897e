// wrong: output, memory: a number is loaded before it is there

constexpr int kThreads = 256;

__global__ void turn(float* out, const float* in) {
  __shared__ float part[kThreads];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  part[threadIdx.x] = in[i];
  out[i] = part[kThreads - 1 - threadIdx.x];
}

void turn_around(float* out, const float* in, int n) {
  if (n > 0) turn<<<n / kThreads, kThreads>>>(out, in);
}
