// The thirteen reads of 01_banks/1_predict, executed by one warp.
//
//   ./course run labs/01_banks/demo/accesses.cu     conflicts of each line
//   nvcc -cudart shared -arch=native accesses.cu    on a GPU: cycles of each
//
// Every read is repeated a thousand times, each time at an offset that depends
// on what was read before, so that no two overlap. Conflicts show as cycles.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                      \
  do {                                                                   \
    const cudaError_t error = call;                                      \
    if (error != cudaSuccess) {                                          \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
                   cudaGetErrorString(error));                           \
      std::exit(1);                                                      \
    }                                                                    \
  } while (0)

constexpr int kBytes = 8 * 1024;
constexpr int kReads = 1000;
constexpr int kRows = 13;

struct Pair {
  float x, y;
};
struct Triple {
  float x, y, z;
};

__device__ float first(float value) { return value; }
__device__ float first(char value) { return value; }
__device__ float first(double value) { return static_cast<float>(value); }
__device__ float first(float4 value) {
  return value.x + value.y + value.z + value.w;
}

// The memory holds zeros, so the next read is where the last one was; but only
// the program knows that, not the compiler.
template <class Read>
__device__ void repeat(long long* cycles, Read read) {
  int zero = 0;
  const long long begin = clock64();
  for (int i = 0; i < kReads; ++i) zero = static_cast<int>(first(read(zero)));
  const long long end = clock64();
  if (threadIdx.x == 0) *cycles = (end - begin) / kReads + zero;
}

__global__ void read_all(long long* cycles) {
  __shared__ __align__(16) char memory[kBytes];
  const int lane = threadIdx.x;
  for (int i = lane; i < kBytes; i += 32) memory[i] = 0;
  __syncwarp();

  const float* const word = reinterpret_cast<float*>(memory);
  const char* const letter = memory;
  const double* const number = reinterpret_cast<double*>(memory);
  const float4* const quad = reinterpret_cast<float4*>(memory);
  const Pair* const pair = reinterpret_cast<Pair*>(memory);
  const Triple* const triple = reinterpret_cast<Triple*>(memory);

  // clang-format off
  repeat(cycles + 0, [=](int z) { return word[lane + z]; });
  repeat(cycles + 1, [=](int z) { return word[2 * lane + z]; });
  repeat(cycles + 2, [=](int z) { return word[3 * lane + z]; });
  repeat(cycles + 3, [=](int z) { return word[4 * lane + z]; });
  repeat(cycles + 4, [=](int z) { return word[32 * lane + z]; });
  repeat(cycles + 5, [=](int z) { return word[33 * lane + z]; });
  repeat(cycles + 6, [=](int z) { return word[5 + z]; });
  repeat(cycles + 7, [=](int z) { return word[lane % 2 * 32 + z]; });
  repeat(cycles + 8, [=](int z) { return letter[lane + z]; });
  repeat(cycles + 9, [=](int z) { return number[lane + z]; });
  repeat(cycles + 10, [=](int z) { return quad[lane + z]; });
  repeat(cycles + 11, [=](int z) { return pair[lane + z].x; });
  repeat(cycles + 12, [=](int z) { return triple[lane + z].x; });
  // clang-format on
}

int main() {
  const char* const rows[kRows] = {
      "word[lane]",     "word[2 * lane]",      "word[3 * lane]",
      "word[4 * lane]", "word[32 * lane]",     "word[33 * lane]",
      "word[5]",        "word[lane % 2 * 32]", "letter[lane]",
      "number[lane]",   "quad[lane]",          "pair[lane].x",
      "triple[lane].x"};
  long long* cycles = nullptr;
  CHECK(cudaMalloc(&cycles, kRows * sizeof(long long)));
  for (int warm = 0; warm < 2; ++warm) {  // the first time fills the caches
    read_all<<<1, 32>>>(cycles);
    CHECK(cudaGetLastError());
  }
  long long host[kRows];
  CHECK(cudaMemcpy(host, cycles, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < kRows; ++i)
    std::printf("%-20s %4lld cycles a read\n", rows[i], host[i]);
  CHECK(cudaFree(cycles));
}
