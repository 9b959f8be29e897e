// wrong: answers: believes that a tile makes every kernel fast

#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void a_float(float* out, const float* in, int n) {  // A
  const int i = blockIdx.x * kThreads + threadIdx.x;
  out[i % 4 * n + i / 4] = in[i];
}

__global__ void b_tile(float* out, const float* in, int n) {  // B
  __shared__ float tile[4 * kThreads];
  const int t = threadIdx.x, first = blockIdx.x * kThreads, plane = t / 64;
  for (int e = 0; e < 4; ++e)
    tile[t + kThreads * e] = in[4 * first + t + kThreads * e];
  __syncthreads();
  for (int e = 0; e < 4; ++e) {
    const int pixel = t % 64 + 64 * e;
    out[plane * n + first + pixel] = tile[4 * pixel + plane];
  }
}

__global__ void c_pixel(float* out, const float* in, int n) {  // C
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const float4 pixel = reinterpret_cast<const float4*>(in)[i];
  out[i] = pixel.x;
  out[n + i] = pixel.y;
  out[2 * n + i] = pixel.z;
  out[3 * n + i] = pixel.w;
}

enum Kernel { kA, kB, kC };
enum Reason {
  kBanks,    // passes of shared memory fill most of its time
  kSectors,  // it moves more sectors of global memory than the others do
  kNeither,  // neither: a thread has too little under way for its start and end
};
enum Share { kHardly, kSome, kMost };  // less than 5 %, less than 40 %, more

constexpr int kAnswers[] = {
    kB,
    kA,
    kNeither,
    kHardly,
};
static_assert(sizeof kAnswers == 4 * sizeof(int), "four answers");

void explain(int* out) {
  cudaMemcpy(out, kAnswers, sizeof kAnswers, cudaMemcpyHostToDevice);
}
