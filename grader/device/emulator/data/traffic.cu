// Kernels that do little but access global memory, for the benchmark.

__global__ void copy(int* out, const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

__global__ void copy_bytes(unsigned char* out, const unsigned char* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

__global__ void atomics(int* out, const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&out[i % 4096], in[i]);
}

// Words all over the memory: n, a power of two, of them.
__global__ void gather(int* out, const int* in, int n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (unsigned k = 0; k < 32; ++k) sum += in[(i * 32 + k) * 2654435761u >> 7 & (n - 1)];
  out[i] = sum;
}

// What nobody has written: it is read, and comes to nothing, as `mask` is 0.
__global__ void drop(int* out, const volatile int* in, int n, int mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < 32; ++k) sum = sum * 3 + (in[(i + k * 4096) % n] >> 1);
  out[i] = sum & mask;
}

__global__ void stencil(int* out, const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i + 1 < n) out[i] = in[i - 1] + in[i] + in[i + 1];
}

__global__ void histogram(int* out, const int* in, int n) {
  __shared__ int bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[in[i] & 255], 1);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
