// The mean of each element and its two neighbours, 256 elements at a time.
//
//   ./course run grader/cli/programs/own/moving_average.cu
//   ./course run -D MENDED grader/cli/programs/own/moving_average.cu
//
// A barrier is missing.
#include <cstdio>
#include <vector>

constexpr int kThreads = 256, kChunks = 8, kSize = kThreads * kChunks;

__global__ void average(float* out, const float* in) {
  __shared__ float chunk[kThreads + 2];
  for (int begin = 0; begin < kSize; begin += kThreads) {
    const int i = begin + threadIdx.x;
    chunk[threadIdx.x + 1] = in[i + 1];
    if (threadIdx.x == 0) chunk[0] = in[begin];
    if (threadIdx.x == kThreads - 1) chunk[kThreads + 1] = in[i + 2];
    __syncthreads();
    const float left = chunk[threadIdx.x];
    const float right = chunk[threadIdx.x + 2];
    out[i] = (left + chunk[threadIdx.x + 1] + right) / 3;
#ifdef MENDED
    __syncthreads();
#endif
  }
}

int main() {
  std::vector<float> in(kSize + 2), out(kSize);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = 3 * (i % 100);
  float *device_in, *device_out;
  cudaMalloc(&device_in, in.size() * sizeof(float));
  cudaMalloc(&device_out, out.size() * sizeof(float));
  cudaMemcpy(device_in, in.data(), in.size() * sizeof(float), cudaMemcpyDefault);
  average<<<1, kThreads>>>(device_out, device_in);
  cudaMemcpy(out.data(), device_out, out.size() * sizeof(float), cudaMemcpyDefault);
  int wrong = 0;
  for (int i = 0; i < kSize; ++i) wrong += out[i] != (in[i] + in[i + 1] + in[i + 2]) / 3;
  std::printf("%d wrong\n", wrong);
  cudaFree(device_in);
  cudaFree(device_out);
  return wrong != 0;
}
