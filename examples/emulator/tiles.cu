// Three ways to transpose a tile of 32 x 32: with bank conflicts, without, and with a race.
constexpr int kTile = 32;

template <int kPitch, bool kWaits>
__device__ void transpose_tile(float* out, const float* in) {
  __shared__ float tile[kTile][kPitch];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * kTile + x];
  if (kWaits) __syncthreads();
  out[y * kTile + x] = tile[x][y];
}

extern "C" __global__ void plain(float* out, const float* in) {
  transpose_tile<32, true>(out, in);
}
extern "C" __global__ void padded(float* out, const float* in) {
  transpose_tile<33, true>(out, in);
}
extern "C" __global__ void hasty(float* out, const float* in) {
  transpose_tile<33, false>(out, in);
}
