// Exchanges between lanes: each kernel writes what its lanes got.
__global__ void shuffles(int* out, const int* in, int by, int width) {
  const int lane = threadIdx.x, value = in[lane];
  out[lane] = __shfl_sync(0xffffffff, value, by, width);
  out[32 + lane] = __shfl_up_sync(0xffffffff, value, by, width);
  out[64 + lane] = __shfl_down_sync(0xffffffff, value, by, width);
  out[96 + lane] = __shfl_xor_sync(0xffffffff, value, by, width);
}

__global__ void votes(unsigned* out, const int* in) {
  const int lane = threadIdx.x, value = in[lane];
  out[lane] = __ballot_sync(0xffffffff, value > 0);
  out[32 + lane] = __any_sync(0xffffffff, value > 5);
  out[64 + lane] = __all_sync(0xffffffff, value > 0);
  out[96 + lane] = __match_any_sync(0xffffffff, value);
  out[128 + lane] = __reduce_add_sync(0xffffffff, (unsigned)value);
  out[160 + lane] = __reduce_max_sync(0xffffffff, value);
  out[192 + lane] = __activemask();
}

__global__ void half_masks(int* out, const int* in) { // each half of the warp by itself
  const int lane = threadIdx.x, half = lane / 16;
  const unsigned mask = half ? 0xffff0000 : 0x0000ffff;
  int sum = in[lane];
  for (int s = 8; s > 0; s /= 2) sum += __shfl_xor_sync(mask, sum, s);
  out[lane] = sum;
}

__global__ void reads_idle_lane(int* out, const int* in) {
  const int lane = threadIdx.x;
  int value = in[lane];
  if (lane < 16) value = __shfl_down_sync(0x0000ffff, value, 8);
  out[lane] = value;
}

__global__ void shuffle_without_others(int* out, const int* in) {
  const int lane = threadIdx.x;
  int value = in[lane];
  if (lane < 16) value = __shfl_xor_sync(0xffffffff, value, 1);
  out[lane] = value;
}

__global__ void syncs_on_both_paths(int* out, const int* in) {
  __shared__ int s[32];
  const int lane = threadIdx.x;
  s[lane] = in[lane];
  if (lane < 16) {
    __syncwarp();
    out[lane] = s[lane + 16];
  } else {
    __syncwarp();
    out[lane] = s[lane - 16];
  }
}
