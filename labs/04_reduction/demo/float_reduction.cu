// A sum of floats by blocks of 256 threads, before and after: the pairs in
// place with a divergent branch, the same pairs by neighbouring threads, which
// conflict, and sequential addressing, which does neither.
//
//   ./course run labs/04_reduction/demo/float_reduction.cu    conflicts
//   nvcc -cudart shared -arch=native float_reduction.cu       times
//   ./a.out 22                                                2^22 elements
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

constexpr int kThreads = 256;

// Which pairs a thread adds in each round is all that differs.
struct InPlace {
  static constexpr const char* kName = "in place, divergent";
  __device__ static void add_up(float* part, int tid) {
    for (int apart = 1; apart < kThreads; apart *= 2) {
      if (tid % (2 * apart) == 0) part[tid] += part[tid + apart];
      __syncthreads();
    }
  }
};
struct Interleaved {
  static constexpr const char* kName = "interleaved";
  __device__ static void add_up(float* part, int tid) {
    for (int apart = 1; apart < kThreads; apart *= 2) {
      const int at = 2 * apart * tid;
      if (at < kThreads) part[at] += part[at + apart];
      __syncthreads();
    }
  }
};
struct Sequential {
  static constexpr const char* kName = "sequential";
  __device__ static void add_up(float* part, int tid) {
    for (int apart = kThreads / 2; apart > 0; apart /= 2) {
      if (tid < apart) part[tid] += part[tid + apart];
      __syncthreads();
    }
  }
};

template <class Pairs>
__global__ void block_sums(float* out, const float* in) {
  __shared__ float part[kThreads];
  part[threadIdx.x] = in[blockIdx.x * kThreads + threadIdx.x];
  __syncthreads();
  Pairs::add_up(part, threadIdx.x);
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

template <class Pairs>
void measure(float* out, const float* in, const std::vector<float>& host) {
  const int blocks = static_cast<int>(host.size()) / kThreads;
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  float milliseconds = 0;
  for (int warm = 0; warm < 2; ++warm) {  // the first launch loads the kernel
    CHECK(cudaEventRecord(begin));
    block_sums<Pairs><<<blocks, kThreads>>>(out, in);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));

  std::vector<float> sums(blocks);
  CHECK(cudaMemcpy(sums.data(), out, blocks * sizeof(float),
                   cudaMemcpyDeviceToHost));
  double sum = 0, expected = 0;
  for (const float s : sums) sum += s;
  for (const float x : host) expected += x;
  std::printf("%-20s sum %.1f, off by %g, %8.2f us, %7.1f GB/s\n", Pairs::kName,
              sum, sum - expected, 1000 * milliseconds,
              4e-6 * host.size() / milliseconds);
}

int main(int count, char** arguments) {
  const int power = count > 1 ? std::atoi(arguments[1]) : 16;
  if (power < 8 || power > 28) {
    std::fprintf(stderr, "the power of two has to be from 8 to 28\n");
    return 1;
  }
  std::vector<float> host(size_t{1} << power);
  for (size_t i = 0; i < host.size(); ++i) host[i] = float(i % 1000) / 8;
  float *in = nullptr, *out = nullptr;
  const size_t bytes = host.size() * sizeof(float);
  CHECK(cudaMalloc(&in, bytes));
  CHECK(cudaMalloc(&out, bytes / kThreads));
  CHECK(cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice));
  measure<InPlace>(out, in, host);
  measure<Interleaved>(out, in, host);
  measure<Sequential>(out, in, host);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
