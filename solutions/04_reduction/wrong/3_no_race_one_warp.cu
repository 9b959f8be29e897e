// wrong: uses: one warp for all elements, and shared memory for show

__global__ void block_sums(int* out, const int* in, int n) {
  __shared__ int part[32];
  int sum = 0;
  for (int e = 0; e < 1024; e += 32) {
    const int i = blockIdx.x * 1024 + e + threadIdx.x;
    sum += i < n ? in[i] : 0;
  }
  for (int apart = 16; apart > 0; apart /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, apart);
  part[threadIdx.x] = sum;
  if (threadIdx.x == 0)
    out[blockIdx.x] = *const_cast<volatile int*>(&part[threadIdx.x]);
}

void sums(int* out, const int* in, int n) {
  if (n > 0) block_sums<<<(n + 1023) / 1024, 32>>>(out, in, n);
}
