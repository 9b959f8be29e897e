// @ID@: numbers turned around in their blocks
//
// `in` has n numbers, a multiple of 256. Each 256 of them come to stand in
// `out` in the reverse order, through shared memory.
//
//   ./course grade @ID@    what is right, what is not, and where

constexpr int kThreads = 256;

__global__ void turn(float* out, const float* in) {
  // Your work begins here.
  __shared__ float part[kThreads];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  part[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = part[kThreads - 1 - threadIdx.x];
  // Your work ends here.
}

void turn_around(float* out, const float* in, int n) {
  if (n > 0) turn<<<n / kThreads, kThreads>>>(out, in);
}
