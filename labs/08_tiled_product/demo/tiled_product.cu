// C = A B for square matrices, twice: every thread reads a row of A and a
// column of B from global memory, and the same through tiles in shared memory.
//
//   ./course run labs/08_tiled_product/demo/tiled_product.cu    counts
//   nvcc -cudart shared -arch=native tiled_product.cu           times
//   ./a.out 4096                                                4096 x 4096
#include <cuda_runtime.h>

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

using Floats = std::vector<float>;

// Two loads for a multiplication and an addition.
template <int kTile>
__global__ void naive(float* c, const float* a, const float* b, int n) {
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int col = blockIdx.x * kTile + threadIdx.x;
  if (row >= n || col >= n) return;
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += a[row * n + i] * b[i * n + col];
  c[row * n + col] = sum;
}

// Two loads for kTile of them.
template <int kTile>
__global__ void tiled(float* c, const float* a, const float* b, int n) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int col = blockIdx.x * kTile + x;
  float sum = 0;
  for (int first = 0; first < n; first += kTile) {
    const bool in_a = row < n && first + x < n;
    const bool in_b = first + y < n && col < n;
    a_tile[y][x] = in_a ? a[row * n + first + x] : 0.0f;
    b_tile[y][x] = in_b ? b[(first + y) * n + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}

using Kernel = void (*)(float*, const float*, const float*, int);

float milliseconds(Kernel kernel, int tile, float* c, const float* a,
                   const float* b, int n) {
  const dim3 block(tile, tile);
  const dim3 grid((n + tile - 1) / tile, (n + tile - 1) / tile);
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  float time = 0;
  for (int warm = 0; warm < 2; ++warm) {  // the first launch loads the kernel
    CHECK(cudaEventRecord(begin));
    kernel<<<grid, block>>>(c, a, b, n);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&time, begin, end));
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  return time;
}

// The worst of some elements, against sums in double.
double worst_error(const Floats& c, const Floats& a, const Floats& b, int n) {
  double worst = 0;
  for (int e = 0; e < 1000; ++e) {
    const int row = e * 7919 % n, col = e * 104729 % n;
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += double{a[row * n + i]} * b[i * n + col];
    const double error = std::abs(sum - c[row * n + col]);
    if (!(error <= worst)) worst = error;  // a NaN is an error, too
  }
  return worst;
}

int main(int count, char** arguments) {
  const int n = count > 1 ? std::atoi(arguments[1]) : 128;
  if (n < 1 || n > 16384) {
    std::fprintf(stderr, "the side has to be from 1 to 16384\n");
    return 1;
  }
  const size_t elements = size_t{1} * n * n, bytes = elements * sizeof(float);
  Floats a(elements), b(elements), c(elements);
  for (size_t i = 0; i < elements; ++i) {
    a[i] = static_cast<float>(i * 37 % 101) / 101 - 0.5f;
    b[i] = static_cast<float>(i * 53 % 103) / 103 - 0.5f;
  }
  float *on_a = nullptr, *on_b = nullptr, *on_c = nullptr;
  CHECK(cudaMalloc(&on_a, bytes));
  CHECK(cudaMalloc(&on_b, bytes));
  CHECK(cudaMalloc(&on_c, bytes));
  CHECK(cudaMemcpy(on_a, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(on_b, b.data(), bytes, cudaMemcpyHostToDevice));

  struct Row {
    const char* name;
    Kernel kernel;
    int tile;
  };
  for (const Row& row : {Row{"naive, 16x16 threads", naive<16>, 16},
                         Row{"naive, 32x32 threads", naive<32>, 32},
                         Row{"tiles of 16x16", tiled<16>, 16},
                         Row{"tiles of 32x32", tiled<32>, 32}}) {
    CHECK(cudaMemset(on_c, 0xff, bytes));  // NaN, where nothing is written
    const float time = milliseconds(row.kernel, row.tile, on_c, on_a, on_b, n);
    CHECK(cudaMemcpy(c.data(), on_c, bytes, cudaMemcpyDeviceToHost));
    std::printf("%-22s %10.3f ms %8.1f GFLOP/s, error %g\n", row.name, time,
                2e-6 * elements * n / time, worst_error(c, a, b, n));
  }
  for (float* memory : {on_a, on_b, on_c}) CHECK(cudaFree(memory));
}
