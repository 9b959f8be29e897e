// wrong: conflicts: words two apart are in sixteen banks

constexpr int kThreads = 256;

__global__ void turn(float* out, const float* in) {
  __shared__ float part[2 * kThreads];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  part[2 * threadIdx.x] = in[i];
  __syncthreads();
  out[i] = part[2 * (kThreads - 1 - threadIdx.x)];
}

void turn_around(float* out, const float* in, int n) {
  if (n > 0) turn<<<n / kThreads, kThreads>>>(out, in);
}
