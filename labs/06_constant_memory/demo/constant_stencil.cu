// One table in constant memory and one behind a read-only pointer: for a
// stencil of nine points, whose coefficients all lanes want at once, and for a
// look-up, where lanes want different entries.
//
//   ./course run labs/06_constant_memory/demo/constant_stencil.cu    counts
//   nvcc -cudart shared -arch=native constant_stencil.cu             times
//   ./a.out 24                                                       2^24
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
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

constexpr int kRadius = 4;
constexpr int kThreads = 256;
constexpr int kEntries = 64;

// The first derivative, of the eighth order; the middle counts for nothing.
constexpr float kDerivative[kRadius + 1] = {0, 0.8f, -0.2f, 4.0f / 105,
                                            -1.0f / 280};

//! [table]
__constant__ float table[kEntries];  // begins with the coefficients
//! [table]

struct Constant {
  __device__ static float at(const float*, int k) { return table[k]; }
};
struct ReadOnly {
  __device__ static float at(const float* list, int k) {
    return __ldg(list + k);
  }
};

// A block takes kThreads elements, and four more on either side.
template <class Where>
__global__ void stencil(float* out, const float* in, int n, const float* list) {
  __shared__ float tile[kThreads + 2 * kRadius];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  float* const inner = tile + kRadius + threadIdx.x;
  inner[0] = i < n ? in[i] : 0;
  if (threadIdx.x < kRadius) {
    inner[-kRadius] = i >= kRadius ? in[i - kRadius] : 0;
    inner[kThreads] = i + kThreads < n ? in[i + kThreads] : 0;
  }
  __syncthreads();
  float sum = Where::at(list, 0) * inner[0];
#pragma unroll
  for (int k = 1; k <= kRadius; ++k)
    sum += Where::at(list, k) * (inner[k] - inner[-k]);
  if (i < n) out[i] = sum;
}

// Here the index depends on the lane.
template <class Where>
__global__ void look_up(float* out, const float*, int n, const float* list) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) out[i] = Where::at(list, 37u * i % kEntries);
}

template <class Launch>
float milliseconds(Launch launch) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  float time = 0;
  for (int warm = 0; warm < 2; ++warm) {  // the first launch loads the kernel
    CHECK(cudaEventRecord(begin));
    launch();
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&time, begin, end));
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  return time;
}

using Floats = std::vector<float>;

double stencil_error(const Floats& got, const Floats& in) {
  double worst = 0;
  for (size_t i = kRadius; i + kRadius < in.size(); ++i) {
    double sum = kDerivative[0] * in[i];
    for (int k = 1; k <= kRadius; ++k)
      sum += kDerivative[k] * (double{in[i + k]} - in[i - k]);
    const double error = std::abs(sum - got[i]);
    if (!(error <= worst)) worst = error;  // a NaN is an error, too
  }
  return worst;
}

double look_up_error(const Floats& got, const Floats& entries) {
  double worst = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const double error = std::abs(got[i] - entries[i * 37 % kEntries]);
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

int main(int count, char** arguments) {
  const int power = count > 1 ? std::atoi(arguments[1]) : 16;
  if (power < 4 || power > 28) {
    std::fprintf(stderr, "the power of two has to be from 4 to 28\n");
    return 1;
  }
  const int n = 1 << power, blocks = (n + kThreads - 1) / kThreads;
  const size_t bytes = n * sizeof(float);
  Floats host(n), entries(kEntries);
  for (int i = 0; i < n; ++i) host[i] = std::sin(0.01f * i);
  for (int i = 0; i < kEntries; ++i) entries[i] = 1.0f / (1 + i);
  std::copy(kDerivative, kDerivative + kRadius + 1, entries.begin());

  float *in = nullptr, *out = nullptr, *list = nullptr;
  CHECK(cudaMalloc(&in, bytes));
  CHECK(cudaMalloc(&out, bytes));
  CHECK(cudaMalloc(&list, sizeof table));
  CHECK(cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(list, entries.data(), sizeof table, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(table, entries.data(), sizeof table));

  Floats got(n);
  const auto run = [&](const char* what, auto kernel) {
    const float time =
        milliseconds([&] { kernel<<<blocks, kThreads>>>(out, in, n, list); });
    CHECK(cudaMemcpy(got.data(), out, bytes, cudaMemcpyDeviceToHost));
    std::printf("%-28s %9.2f us", what, 1000 * time);
  };
  run("stencil, constant memory", stencil<Constant>);
  std::printf("   error %g\n", stencil_error(got, host));
  run("stencil, read-only pointer", stencil<ReadOnly>);
  std::printf("   error %g\n", stencil_error(got, host));
  run("look-up, constant memory", look_up<Constant>);
  std::printf("   error %g\n", look_up_error(got, entries));
  run("look-up, read-only pointer", look_up<ReadOnly>);
  std::printf("   error %g\n", look_up_error(got, entries));
  for (float* memory : {in, out, list}) CHECK(cudaFree(memory));
}
