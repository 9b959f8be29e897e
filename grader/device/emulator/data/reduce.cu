// Sums of a block's elements, in ways that differ in divergence and conflicts.
__global__ void reduce_sequential(int* out, const int* in) {
  extern __shared__ int sums[];
  const unsigned t = threadIdx.x;
  sums[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

__global__ void reduce_interleaved(int* out, const int* in) {
  extern __shared__ int sums[];
  const unsigned t = threadIdx.x;
  sums[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    const unsigned i = 2 * s * t;
    if (i < blockDim.x) sums[i] += sums[i + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

__global__ void reduce_shuffle(int* out, const int* in) {
  int sum = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
  __shared__ int of_warp[32];
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : 0;
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
  }
}

__global__ void reduce_atomic(int* out, const int* in) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, sum);
}
