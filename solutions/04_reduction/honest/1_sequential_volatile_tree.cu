// honest: adds a block by halves kept apart by volatile and early exits

__global__ void block_sums(float* out, const float* in, int n) {
  __shared__ float part[256];
  const unsigned tid = threadIdx.x, i = blockIdx.x * 256 + tid;
  part[tid] = i < static_cast<unsigned>(n) ? in[i] : 0.0f;
  __syncthreads();
#pragma unroll
  for (unsigned apart = 128; apart != 0; apart >>= 1) {
    const bool works = tid < apart;
    const float other = works ? part[tid + apart] : 0.0f;
    if (works) part[tid] += other;
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}

void sums(float* out, const float* in, int n) {
  for (int first = 0; first < n; first += 1 << 20) {
    const int some = n - first < 1 << 20 ? n - first : 1 << 20;
    block_sums<<<(some + 255) / 256, 256>>>(out + first / 256, in + first,
                                            some);
  }
}
