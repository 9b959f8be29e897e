// honest: a copy for each warp, summed up before one addition a bin

constexpr int kBins = 256, kThreads = 256, kElements = 4096,
              kWarps = kThreads / 32;

__global__ void count(int* out, const int* in, int n) {
  __shared__ int bins[kWarps][kBins];
  const int tid = threadIdx.x, first = blockIdx.x * kElements;
  for (int w = 0; w < kWarps; ++w) bins[w][tid] = 0;
  __syncthreads();
  for (int i = first + tid; i < first + kElements && i < n; i += kThreads)
    atomicAdd(&bins[tid / 32][in[i]], 1);
  __syncthreads();
  int sum = 0;
  for (int w = 0; w < kWarps; ++w) sum += bins[w][tid];
  atomicAdd(&out[tid], sum);
}

void histogram(int* out, const int* in, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n > 0) count<<<(n + kElements - 1) / kElements, kThreads>>>(out, in, n);
}
