// What ptxas rearranges: see device/emulator/decode/arrangement.hpp.

struct Four {
  float a, b, c, d;
};

// The loads of b and d become one of 16 bytes, and that becomes two of 4.
__global__ void split(float* out, const Four* in) {
  __shared__ Four row[32];
  const Four& mine = row[threadIdx.x];
  row[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const float next = row[(threadIdx.x + 1) % 32].a;
  out[threadIdx.x] = 0.5f * mine.b + next * mine.d;
}

// A round of nvcc's has four elements. Of these rounds, four go together, then two, then one.
__global__ void unrolled(float* out, const float* in, int n) {
  extern __shared__ float part[];
  for (int i = threadIdx.x; i < n; i += 32) part[i] = in[i];
  __syncthreads();
  out[threadIdx.x] = part[31 - threadIdx.x];
}

// What a round reads again, it has from the round before: of two loads, one.
__global__ void again(float* out, const float* in, int n) {
  __shared__ float part[2048];
  for (int i = threadIdx.x; i < 2048; i += 32) part[i] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += 32) out[i] = part[i + 128] - part[i];
}

// Only lanes that do not return load.
__global__ void sunk(float* out, const float* in, int n) {
  __shared__ float tile[128];
  const int i = blockIdx.x * 128 + threadIdx.x;
  const float value = i < n ? in[i] : 0.0f;
  tile[threadIdx.x] = value;
  __syncthreads();
  const float first = tile[threadIdx.x / 32 * 32];
  const float before = threadIdx.x % 32 >= 2 ? tile[threadIdx.x - 2] : value;
  if (i >= n) return;
  out[i] = first;
  out[n + i] = before;
}

// The loads of the first round are one with the load before the loop.
__global__ void peeled(float* out, const float* in) {
  __shared__ float part[256];
  for (int i = threadIdx.x; i < 256; i += 32) part[i] = in[i];
  __syncthreads();
  if (threadIdx.x == 0)
    for (int t = 1; t < 256; ++t) part[0] += part[t];
  if (threadIdx.x == 0) out[0] = part[0];
}
