// Kernels of which a sample of the blocks is executed.

__global__ void marks(int* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}

__global__ void marks_if_marked(int* out, const int* in) {
  if (threadIdx.x == 0) out[blockIdx.x] = in[blockIdx.x] + 1;
}

// Each block takes a number: an atomic whose result is used, and nobody waits.
__global__ void numbered(int* out, int* next) {
  if (threadIdx.x == 0) out[atomicAdd(next, 1)] = 1;
}

// Each block waits for the one before it.
__global__ void chain(volatile int* out) {
  if (threadIdx.x != 0) return;
  while (blockIdx.x > 0 && out[blockIdx.x - 1] == 0) {
  }
  __threadfence();
  out[blockIdx.x] = 1;
}

// The same by an atomic, in clusters.
__global__ void __cluster_dims__(4) chain_of_clusters(int* out) {
  if (threadIdx.x != 0) return;
  while (blockIdx.x > 0 && atomicAdd(&out[blockIdx.x - 1], 0) == 0) {
  }
  __threadfence();
  atomicAdd(&out[blockIdx.x], 1);
}

__global__ void __cluster_dims__(4) marks_by_clusters(int* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}
