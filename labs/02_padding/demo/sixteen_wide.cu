// A transpose by tiles of 16x16: no padding, a word a row, two words after
// every 32, and a swizzle.
//
//   ./course run labs/02_padding/demo/sixteen_wide.cu     conflicts of each
//   nvcc -cudart shared -arch=native sixteen_wide.cu      on a GPU: times
//   ./a.out 4096                                          the matrix's side
//
// For a matrix of 4096^2: 3,670,016 conflicts without padding, all on loads;
// 1,048,576 with a word a row, half of them on stores; none with the others.
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

constexpr int kTile = 16;

struct Plain {
  static constexpr const char* kName = "plain";
  static constexpr int kWords = 256;
  __device__ static int word(int row, int col) { return row * kTile + col; }
};
struct WordARow {
  static constexpr const char* kName = "a word a row";
  static constexpr int kWords = 272;
  __device__ static int word(int row, int col) {
    return row * (kTile + 1) + col;
  }
};
struct TwoAfter32 {
  static constexpr const char* kName = "two words after 32";
  static constexpr int kWords = 272;
  __device__ static int word(int row, int col) {
    const int i = row * kTile + col;
    return i + i / 32 * 2;
  }
};
struct Swizzle {
  static constexpr const char* kName = "swizzle";
  static constexpr int kWords = 256;
  __device__ static int word(int row, int col) {
    return row * kTile + (col ^ row);
  }
};

template <class Layout>
__global__ void transpose(float* out, const float* in, int side) {
  __shared__ float tile[Layout::kWords];
  const int x = threadIdx.x, y = threadIdx.y;
  const int left = blockIdx.x * kTile, top = blockIdx.y * kTile;
  tile[Layout::word(y, x)] = in[(top + y) * side + left + x];
  __syncthreads();
  out[(left + y) * side + top + x] = tile[Layout::word(x, y)];
}

template <class Layout>
void measure(float* out, const float* in, int side) {
  const dim3 block(kTile, kTile), grid(side / kTile, side / kTile);
  const size_t bytes = sizeof(float) * side * side;
  CHECK(cudaMemset(out, 0xff, bytes));
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  transpose<Layout><<<grid, block>>>(out, in, side);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(begin));
  transpose<Layout><<<grid, block>>>(out, in, side);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));

  std::vector<float> host(size_t(side) * side);
  CHECK(cudaMemcpy(host.data(), out, bytes, cudaMemcpyDeviceToHost));
  size_t wrong = 0;
  for (size_t i = 0; i < host.size(); ++i)
    wrong += !(host[i] == float(i % side * side + i / side));
  std::printf("%-20s %zu wrong, %7.1f us\n", Layout::kName, wrong,
              1000 * milliseconds);
}

int main(int count, char** arguments) {
  const int side = count > 1 ? std::atoi(arguments[1]) : 256;
  if (side <= 0 || side % kTile != 0 || side > 4096) {
    std::fprintf(stderr, "the side has to be a multiple of 16, up to 4096\n");
    return 1;
  }
  std::vector<float> host(size_t(side) * side);
  for (size_t i = 0; i < host.size(); ++i) host[i] = float(i);
  float *in = nullptr, *out = nullptr;
  const size_t bytes = host.size() * sizeof(float);
  CHECK(cudaMalloc(&in, bytes));
  CHECK(cudaMalloc(&out, bytes));
  CHECK(cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice));
  measure<Plain>(out, in, side);
  measure<WordARow>(out, in, side);
  measure<TwoAfter32>(out, in, side);
  measure<Swizzle>(out, in, side);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
