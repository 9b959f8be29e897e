// The three kernels of exercise 4: pixels of four floats into four planes.
//
//   ./course run labs/06_constant_memory/demo/planes.cu       counts
//   nvcc -cudart shared -arch=native planes.cu                on a GPU:
//   ./a.out 16777216                                          pixels, timed
//
// Without a number of pixels it has no clock.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../4_explain.cu"

#define CHECK(call)                                                      \
  do {                                                                   \
    const cudaError_t error = call;                                      \
    if (error != cudaSuccess) {                                          \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
                   cudaGetErrorString(error));                           \
      std::exit(1);                                                      \
    }                                                                    \
  } while (0)

template <class Launch>
void measure(const char* name, int n, float* out, bool is_timed,
             Launch launch) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  launch();  // loads the kernel
  CHECK(cudaMemset(out, 0xff, 16 * size_t(n)));
  CHECK(cudaEventRecord(begin));
  launch();
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));

  std::vector<float> host(4 * size_t(n));
  CHECK(cudaMemcpy(host.data(), out, 16 * size_t(n), cudaMemcpyDeviceToHost));
  size_t wrong = 0;
  for (size_t i = 0; i < host.size(); ++i)
    wrong += host[i] != float(i % n * 4 + i / n);
  std::printf("%-18s %zu wrong", name, wrong);
  if (is_timed) std::printf(", %8.2f us", 1000 * milliseconds);
  std::printf("\n");
}

int main(int count, char** arguments) {
  const bool is_timed = count > 1;
  const int n = is_timed ? std::atoi(arguments[1]) : 4096;
  if (n <= 0 || n > 1 << 28 || n % kThreads != 0) {
    std::fprintf(stderr, "a multiple of %d pixels, please\n", kThreads);
    return 1;
  }
  std::vector<float> host(4 * size_t(n));
  for (size_t i = 0; i < host.size(); ++i) host[i] = float(i);
  float *in = nullptr, *out = nullptr;
  CHECK(cudaMalloc(&in, 16 * size_t(n)));
  CHECK(cudaMalloc(&out, 16 * size_t(n)));
  CHECK(cudaMemcpy(in, host.data(), 16 * size_t(n), cudaMemcpyHostToDevice));
  const int blocks = n / kThreads;
  measure("A, a float", n, out, is_timed,
          [=] { a_float<<<4 * blocks, kThreads>>>(out, in, n); });
  measure("B, a tile", n, out, is_timed,
          [=] { b_tile<<<blocks, kThreads>>>(out, in, n); });
  measure("C, a pixel", n, out, is_timed,
          [=] { c_pixel<<<blocks, kThreads>>>(out, in, n); });
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
