// Numbers are made in one stream and copied back in another.
//
//   ./course run grader/cli/programs/own/two_streams.cu
//   ./course run -D MENDED grader/cli/programs/own/two_streams.cu
//
// Nothing makes the copy wait for the kernel.
#include <cstdio>
#include <vector>

constexpr int kSize = 1024;

__global__ void squares(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i * i;
}

int main() {
  std::vector<int> out(kSize);
  int* device_out;
  cudaStream_t makes, copies;
  cudaEvent_t made;
  cudaMalloc(&device_out, kSize * sizeof(int));
  cudaStreamCreateWithFlags(&makes, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
  cudaEventCreate(&made);

  //! [streams]
  squares<<<kSize / 256, 256, 0, makes>>>(device_out);
  cudaEventRecord(made, makes);
#ifdef MENDED
  cudaStreamWaitEvent(copies, made);
#endif
  cudaMemcpyAsync(out.data(), device_out, kSize * sizeof(int), cudaMemcpyDeviceToHost, copies);
  cudaStreamSynchronize(copies);
  //! [streams]

  int wrong = 0;
  for (int i = 0; i < kSize; ++i) wrong += out[i] != i * i;
  std::printf("%d wrong\n", wrong);
  cudaEventDestroy(made);
  cudaStreamDestroy(makes);
  cudaStreamDestroy(copies);
  cudaFree(device_out);
  return wrong != 0;
}
