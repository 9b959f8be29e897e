// Seven ways through a tile of 16 rows of 32, by blocks of 32x16 threads.
//
//   ./course run labs/02_padding/demo/rectangular_tiles.cu    conflicts
//   nvcc -cudart shared -arch=native rectangular_tiles.cu     on a GPU
//
// Conflicts of one tile: row_row none; column_column and turned_turned 240 on
// loads and 240 on stores; row_turned 240 on loads, static or dynamic; with
// two words of padding none, and with one (-DPAD=1) 16.
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

#ifndef PAD
#define PAD 2
#endif

constexpr int kRows = 16, kCols = 32;
constexpr int kPitch = kCols + PAD;
constexpr int kElements = kRows * kCols;

// A thread's element, and its place in the transpose, which has rows of 16.
__device__ int own() { return threadIdx.y * kCols + threadIdx.x; }
__device__ int turned_row() { return own() / kRows; }
__device__ int turned_col() { return own() % kRows; }

__global__ void row_row(int* out) {
  __shared__ int tile[kRows][kCols];
  tile[threadIdx.y][threadIdx.x] = own();
  __syncthreads();
  out[own()] = tile[threadIdx.y][threadIdx.x];
}

__global__ void column_column(int* out) {
  __shared__ int tile[kCols][kRows];
  tile[threadIdx.x][threadIdx.y] = own();
  __syncthreads();
  out[own()] = tile[threadIdx.x][threadIdx.y];
}

__global__ void turned_turned(int* out) {
  __shared__ int tile[kRows][kCols];
  tile[turned_col()][turned_row()] = own();
  __syncthreads();
  out[own()] = tile[turned_col()][turned_row()];
}

__global__ void row_turned(int* out) {
  __shared__ int tile[kRows][kCols];
  tile[threadIdx.y][threadIdx.x] = own();
  __syncthreads();
  out[own()] = tile[turned_col()][turned_row()];
}

__global__ void row_turned_padded(int* out) {
  __shared__ int tile[kRows][kPitch];
  tile[threadIdx.y][threadIdx.x] = own();
  __syncthreads();
  out[own()] = tile[turned_col()][turned_row()];
}

__global__ void row_turned_dynamic(int* out) {
  extern __shared__ int tile[];
  tile[threadIdx.y * kCols + threadIdx.x] = own();
  __syncthreads();
  out[own()] = tile[turned_col() * kCols + turned_row()];
}

__global__ void row_turned_dynamic_padded(int* out) {
  extern __shared__ int tile[];
  tile[threadIdx.y * kPitch + threadIdx.x] = own();
  __syncthreads();
  out[own()] = tile[turned_col() * kPitch + turned_row()];
}

struct Way {
  const char* name;
  void (*kernel)(int*);
  int dynamic_bytes;
  bool turned;  // whether the output is the transpose
};

int main() {
  const Way ways[] = {
      {"row_row", row_row, 0, false},
      {"column_column", column_column, 0, false},
      {"turned_turned", turned_turned, 0, false},
      {"row_turned", row_turned, 0, true},
      {"row_turned_padded", row_turned_padded, 0, true},
      {"row_turned_dynamic", row_turned_dynamic, kElements * 4, true},
      {"row_turned_dynamic_padded", row_turned_dynamic_padded,
       kRows * kPitch * 4, true},
  };
  int* out = nullptr;
  CHECK(cudaMalloc(&out, kElements * sizeof(int)));
  std::vector<int> host(kElements);
  for (const Way& way : ways) {
    way.kernel<<<1, dim3(kCols, kRows), way.dynamic_bytes>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host.data(), out, kElements * sizeof(int),
                     cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < kElements; ++i)
      wrong += host[i] != (way.turned ? i % kRows * kCols + i / kRows : i);
    std::printf("%-26s out = %d %d %d ... %d wrong\n", way.name, host[0],
                host[1], host[2], wrong);
  }
  CHECK(cudaFree(out));
}
