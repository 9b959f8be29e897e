// Neighbouring accesses to shared memory, which ptxas makes one of.
struct Four {
  float x, y, z, w;
};
__global__ void four_floats(float* out, const float* in) {
  __shared__ float tile[128];
  const int t = threadIdx.x;
  for (int i = 0; i < 4; ++i) tile[t + 32 * i] = in[t + 32 * i];
  __syncthreads();
  const float* const mine = tile + 4 * t;
  out[t] = mine[0] * mine[3] + mine[1] * mine[2];
}
__global__ void fields_together(float* out, const float* in) {
  __shared__ Four fours[32];
  const int t = threadIdx.x;
  fours[t].x = in[t];
  fours[t].y = in[t + 32];
  fours[t].z = in[t + 64];
  fours[t].w = in[t + 96];
  __syncthreads();
  const Four& other = fours[31 - t];
  out[t] = other.x * other.w + other.y * other.z;
}
__global__ void one_field(float* out, const float* in) {
  __shared__ Four fours[32];
  const int t = threadIdx.x;
  fours[t].x = in[t];
  __syncthreads();
  out[t] = fours[31 - t].x;
}
