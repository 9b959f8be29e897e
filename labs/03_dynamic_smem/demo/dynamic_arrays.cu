// Several arrays in one dynamic allocation, and how large it may be.
//
//   ./course run labs/03_dynamic_smem/demo/dynamic_arrays.cu
//   nvcc -cudart shared -arch=native dynamic_arrays.cu
//
// For three sizes it prints where each array begins, in the order of the
// declaration and widest first; then it asks for ever more bytes until the
// device refuses, and prints how many blocks would fit on a multiprocessor.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                      \
  do {                                                                   \
    const cudaError_t error = call;                                      \
    if (error != cudaSuccess) {                                          \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
                   cudaGetErrorString(error));                           \
      std::exit(1);                                                      \
    }                                                                    \
  } while (0)

struct Sizes {
  int shorts, floats, ints;
};
struct Offsets {
  int shorts, floats, ints, bytes;
};

constexpr int rounded_up(int bytes, int to) {
  return (bytes + to - 1) / to * to;
}

Offsets in_order(Sizes n) {
  Offsets at{};
  at.shorts = 0;
  at.floats = rounded_up(2 * n.shorts, 4);
  at.ints = at.floats + 4 * n.floats;
  at.bytes = at.ints + 4 * n.ints;
  return at;
}

Offsets widest_first(Sizes n) {
  Offsets at{};
  at.floats = 0;
  at.ints = 4 * n.floats;
  at.shorts = at.ints + 4 * n.ints;
  at.bytes = at.shorts + 2 * n.shorts;
  return at;
}

// Every array is filled with its own numbers; out[] gets the three sums.
__global__ void fill_and_add(float* out, Sizes n, Offsets at) {
  extern __shared__ __align__(16) unsigned char memory[];
  short* const shorts = reinterpret_cast<short*>(memory + at.shorts);
  float* const floats = reinterpret_cast<float*>(memory + at.floats);
  int* const ints = reinterpret_cast<int*>(memory + at.ints);
  for (int i = threadIdx.x; i < n.shorts; i += blockDim.x) shorts[i] = 1;
  for (int i = threadIdx.x; i < n.floats; i += blockDim.x) floats[i] = 0.5f;
  for (int i = threadIdx.x; i < n.ints; i += blockDim.x) ints[i] = 3;
  __syncthreads();
  if (threadIdx.x != 0) return;
  float sums[3] = {};
  for (int i = 0; i < n.shorts; ++i) sums[0] += shorts[i];
  for (int i = 0; i < n.floats; ++i) sums[1] += floats[i];
  for (int i = 0; i < n.ints; ++i) sums[2] += ints[i];
  for (int i = 0; i < 3; ++i) out[i] = sums[i];
}

void show(const char* order, float* out, Sizes n, Offsets at) {
  fill_and_add<<<1, 128, at.bytes>>>(out, n, at);
  CHECK(cudaGetLastError());
  float sums[3];
  CHECK(cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost));
  std::printf(
      "%3d shorts %3d floats %3d ints, %-13s at %4d, %4d, %4d of %4d bytes: "
      "sums %g %g %g\n",
      n.shorts, n.floats, n.ints, order, at.shorts, at.floats, at.ints,
      at.bytes, sums[0], sums[1], sums[2]);
}

void ask_for(int kib) {
  const int bytes = kib * 1024;
  const cudaError_t error = cudaFuncSetAttribute(
      fill_and_add, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (error != cudaSuccess) {
    cudaGetLastError();  // so that the next launch is not blamed for it
    std::printf("%3d KiB: %s\n", kib, cudaGetErrorString(error));
    return;
  }
  int blocks = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill_and_add,
                                                      128, bytes));
  std::printf("%3d KiB: %d blocks of 128 threads fit\n", kib, blocks);
}

int main() {
  float* out = nullptr;
  CHECK(cudaMalloc(&out, 3 * sizeof(float)));
  for (const Sizes n :
       {Sizes{128, 64, 256}, Sizes{127, 64, 256}, Sizes{1, 1, 1}}) {
    show("in order", out, n, in_order(n));
    show("widest first", out, n, widest_first(n));
  }
  CHECK(cudaFree(out));

  int plain = 0, opted = 0, all = 0;
  CHECK(cudaDeviceGetAttribute(&plain, cudaDevAttrMaxSharedMemoryPerBlock, 0));
  CHECK(cudaDeviceGetAttribute(&opted, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                               0));
  CHECK(cudaDeviceGetAttribute(&all,
                               cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0));
  std::printf("a block: %d bytes, %d after opting in; the SM: %d\n", plain,
              opted, all);
  for (const int kib : {24, 27, 48, 56, 75, 113, 227, 228}) ask_for(kib);
}
