// The sum of 2^k integers by blocks of 128 threads, in four ways: in global
// memory, in shared memory, with four elements a thread, and the last again
// with dynamic shared memory. The host adds up what the blocks leave.
//
//   ./course run labs/04_reduction/demo/integer_reduction.cu    counts
//   nvcc -cudart shared -arch=native integer_reduction.cu       times
//   ./a.out 22                                                  2^22 elements
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

constexpr int kThreads = 128;
constexpr int kEach = 4;

// Leaves the sum of part[0] to part[127] in part[0].
__device__ void add_up(int* part) {
  const int tid = threadIdx.x;
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    __syncthreads();
    if (tid < apart) part[tid] += part[tid + apart];
  }
}

__global__ void in_global(int* out, int* in, int) {
  int* const part = in + blockIdx.x * kThreads;  // overwrites its input
  add_up(part);
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

__global__ void in_shared(int* out, int* in, int) {
  __shared__ int part[kThreads];
  part[threadIdx.x] = in[blockIdx.x * kThreads + threadIdx.x];
  add_up(part);
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

__device__ int sum_of_each(const int* in, int n) {
  int sum = 0;
  for (int e = 0; e < kEach; ++e) {
    const int i = (blockIdx.x * kEach + e) * kThreads + threadIdx.x;
    if (i < n) sum += in[i];
  }
  return sum;
}

__global__ void unrolled(int* out, int* in, int n) {
  __shared__ int part[kThreads];
  part[threadIdx.x] = sum_of_each(in, n);
  add_up(part);
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

__global__ void unrolled_dynamic(int* out, int* in, int n) {
  extern __shared__ int part[];
  part[threadIdx.x] = sum_of_each(in, n);
  add_up(part);
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

struct Way {
  const char* name;
  void (*kernel)(int*, int*, int);
  int elements;  // a block
  int dynamic_bytes;
};

void measure(const Way& way, const std::vector<int>& host, int* in, int* out) {
  const int n = static_cast<int>(host.size());
  const int blocks = (n + way.elements - 1) / way.elements;
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  float milliseconds = 0;
  for (int warm = 0; warm < 2; ++warm) {  // the first launch loads the kernel
    CHECK(cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaEventRecord(begin));
    way.kernel<<<blocks, kThreads, way.dynamic_bytes>>>(out, in, n);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));

  std::vector<int> sums(blocks);
  CHECK(cudaMemcpy(sums.data(), out, blocks * sizeof(int),
                   cudaMemcpyDeviceToHost));
  long long sum = 0, expected = 0;
  for (const int s : sums) sum += s;
  for (const int x : host) expected += x;
  std::printf("%-17s sum %lld (%s), %6d blocks, %8.2f us, %7.1f GB/s\n",
              way.name, sum, sum == expected ? "right" : "WRONG", blocks,
              1000 * milliseconds, 4e-6 * n / milliseconds);
}

int main(int count, char** arguments) {
  const int power = count > 1 ? std::atoi(arguments[1]) : 16;
  if (power < 9 || power > 28) {
    std::fprintf(stderr, "the power of two has to be from 9 to 28\n");
    return 1;
  }
  std::vector<int> host(size_t{1} << power);
  for (size_t i = 0; i < host.size(); ++i)
    host[i] = (i * 2654435761u >> 20) & 0xff;
  int *in = nullptr, *out = nullptr;
  CHECK(cudaMalloc(&in, host.size() * sizeof(int)));
  CHECK(cudaMalloc(&out, host.size() / kThreads * sizeof(int)));
  const Way ways[] = {
      {"in_global", in_global, kThreads, 0},
      {"in_shared", in_shared, kThreads, 0},
      {"unrolled", unrolled, kThreads * kEach, 0},
      {"unrolled_dynamic", unrolled_dynamic, kThreads * kEach,
       kThreads * static_cast<int>(sizeof(int))},
  };
  for (const Way& way : ways) measure(way, host, in, out);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
