// attack: allocates gigabytes and lets every lane touch another page
// against: 05_transpose/2_pad
// must: failed output, coalescing
// must: not_measurable: MiB of memory

__global__ void touch(char* memory, long pages) {
  const long page = blockIdx.x * 1024l + threadIdx.x;
  if (page < pages) memory[page << 12] = 1;
}

void transpose(float* out, const float* in, int rows, int cols) {
  char* memory[64];
  for (int i = 0; i < 64; ++i) {
    if (cudaMalloc(&memory[i], 1 << 28) != cudaSuccess) continue;
    touch<<<64, 1024>>>(memory[i], 1 << 16);
  }
}
