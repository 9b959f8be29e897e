// attack: fills gigabytes of device memory, thousands of times
// against: 05_transpose/2_pad
// must: timed_out: without end

__global__ void nothing() {}

void transpose(float* out, const float* in, int rows, int cols) {
  void* memory = nullptr;
  cudaMalloc(&memory, 512 << 20);
  for (int i = 0; i < 10'000; ++i) cudaMemset(memory, i, 512 << 20);
  nothing<<<1, 1>>>();
}
