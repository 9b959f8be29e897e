// wrong: coalescing: every element is an addition in global memory

__global__ void count(int* out, const int* in, int n) {
  const int4* const fours = reinterpret_cast<const int4*>(in);
  const int first = blockIdx.x * 256 + threadIdx.x;
  for (int i = first; i < n / 4; i += gridDim.x * 256) {
    const int4 four = fours[i];
    atomicAdd(&out[four.x], 1);
    atomicAdd(&out[four.y], 1);
    atomicAdd(&out[four.z], 1);
    atomicAdd(&out[four.w], 1);
  }
  if (first < n % 4) atomicAdd(&out[in[n / 4 * 4 + first]], 1);
}

void histogram(int* out, const int* in, int n) {
  cudaMemset(out, 0, 256 * sizeof(int));
  if (n > 0) count<<<1056, 256>>>(out, in, n);
}
