// attack: allocates all memory of the device, and touches it
// against: 05_transpose/2_pad
// must: timed_out: without end

__global__ void nothing() {}

void transpose(float* out, const float* in, int rows, int cols) {
  for (int i = 0; i < 200; ++i) {
    void* memory = nullptr;
    if (cudaMalloc(&memory, 1 << 28) == cudaSuccess) cudaMemset(memory, 1, 1 << 28);
  }
  nothing<<<1, 1>>>();
}
