// honest: each block stores its counts, and a second launch adds them up

constexpr int kBlocks = 264;

__global__ void count(int* parts, const int* in, int n) {
  __shared__ int bins[256][32];
  const int tid = threadIdx.x, lane = tid % 32;
  for (int b = tid / 32; b < 256; b += 32) bins[b][lane] = 0;
  __syncthreads();
  const int all = gridDim.x * 1024, first = blockIdx.x * 1024 + tid;
  for (int i = first; i < n / 4; i += all) {
    const int4 v = reinterpret_cast<const int4*>(in)[i];
    atomicAdd(&bins[v.x][lane], 1);
    atomicAdd(&bins[v.y][lane], 1);
    atomicAdd(&bins[v.z][lane], 1);
    atomicAdd(&bins[v.w][lane], 1);
  }
  if (first < n % 4) atomicAdd(&bins[in[n / 4 * 4 + first]][lane], 1);
  __syncthreads();
  if (tid >= 256) return;
  int sum = 0;
  for (int c = 0; c < 32; ++c) sum += bins[tid][(c + lane) % 32];
  parts[blockIdx.x * 256 + tid] = sum;
}

__global__ void add_up(int* out, const int* parts, int blocks) {
  int sum = 0;
  for (int b = 0; b < blocks; ++b) sum += parts[b * 256 + threadIdx.x];
  out[threadIdx.x] = sum;
}

void histogram(int* out, const int* in, int n) {
  const int needed = (n + 4095) / 4096;
  const int blocks = needed < kBlocks ? needed : kBlocks;
  int* parts = nullptr;
  cudaMalloc(&parts, kBlocks * 256 * sizeof(int));
  if (blocks > 0) count<<<blocks, 1024>>>(parts, in, n);
  add_up<<<1, 256>>>(out, parts, blocks);
  cudaFree(parts);
}
