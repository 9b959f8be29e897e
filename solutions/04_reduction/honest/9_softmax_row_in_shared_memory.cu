// honest: a row that fits into shared memory is read once, and walked over
// three times there; a longer one is read twice

constexpr int kThreads = 512, kWarps = kThreads / 32, kMost = 56'000;

__device__ float largest(float a, float b) { return fmaxf(a, b); }
__device__ float added(float a, float b) { return a + b; }

template <class Operation>
__device__ float of_block(float own, float nothing, Operation both) {
  __shared__ float words[kWarps];
  for (int by = 16; by > 0; by /= 2)
    own = both(own, __shfl_xor_sync(0xffffffff, own, by));
  __syncthreads();  // an earlier call has been read
  if (threadIdx.x % 32 == 0) words[threadIdx.x / 32] = own;
  __syncthreads();
  own = threadIdx.x % 32 < kWarps ? words[threadIdx.x % 32] : nothing;
  for (int by = 16; by > 0; by /= 2)
    own = both(own, __shfl_xor_sync(0xffffffff, own, by));
  return own;
}

__global__ void kept(float* out, const float* in, int cols) {
  extern __shared__ float row[];
  const auto first = static_cast<long long>(blockIdx.x) * cols;
  float most = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < cols; c += kThreads) {
    row[c] = in[first + c];
    most = fmaxf(most, row[c]);
  }
  most = of_block(most, -INFINITY, largest);
  for (int c = threadIdx.x; c < cols; c += kThreads)
    sum += row[c] = __expf(row[c] - most);
  const float share = 1 / of_block(sum, 0, added);
  for (int c = threadIdx.x; c < cols; c += kThreads)
    out[first + c] = row[c] * share;
}

__global__ void read_twice(float* out, const float* in, int cols) {
  const auto first = static_cast<long long>(blockIdx.x) * cols;
  float most = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < cols; c += kThreads) {
    const float x = in[first + c];
    if (x > most) {
      sum *= __expf(most - x);
      most = x;
    }
    sum += __expf(x - most);
  }
  const float all = of_block(most, -INFINITY, largest);
  sum = of_block(sum * __expf(most - all), 0, added);
  for (int c = threadIdx.x; c < cols; c += kThreads)
    out[first + c] = __expf(in[first + c] - all) / sum;
}

void softmax(float* out, const float* in, int rows, int cols) {
  if (rows == 0) return;
  if (cols > kMost) {
    read_twice<<<rows, kThreads>>>(out, in, cols);
    return;
  }
  const int bytes = cols * sizeof(float);
  cudaFuncSetAttribute(kept, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       bytes);
  kept<<<rows, kThreads, bytes>>>(out, in, cols);
}
