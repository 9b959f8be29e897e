// honest: a tree in shared memory down to a warp, which goes on by shuffles

__global__ void block_sums(int* out, const int* in, int n) {
  __shared__ int part[256];
  const int tid = threadIdx.x;
  int sum = 0;
  for (int i = blockIdx.x * 1024 + tid;
       i < min(n, (int)blockIdx.x * 1024 + 1024); i += 256)
    sum += in[i];
  part[tid] = sum;
  __syncthreads();
  for (int apart = 128; apart > 32; apart /= 2) {
    if (tid < apart) part[tid] += part[tid + apart];
    __syncthreads();
  }
  if (tid >= 32) return;
  int rest = part[tid] + part[tid + 32];
  for (int apart = 16; apart > 0; apart /= 2)
    rest += __shfl_down_sync(0xffffffff, rest, apart);
  if (tid == 0) out[blockIdx.x] = rest;
}

void sums(int* out, const int* in, int n) {
  if (n) block_sums<<<(n + 1023) / 1024, 256>>>(out, in, n);
}
