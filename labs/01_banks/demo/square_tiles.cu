// Six ways through a 32x32 tile: stored by rows or columns, read by rows or
// columns, in static and in dynamic shared memory, with and without padding.
//
//   ./course run labs/01_banks/demo/square_tiles.cu    conflicts of each line
//   nvcc -cudart shared -arch=native square_tiles.cu   on a GPU: times
//
// Each block fills its tile with 0 to 1023 and writes what it reads. One tile:
// row_row 0 conflicts, column_column 992 + 992, row_column 992, padded 0.
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

constexpr int kSide = 32;
constexpr int kPitch = kSide + 1;
constexpr int kElements = kSide * kSide;

__device__ int own() { return threadIdx.y * kSide + threadIdx.x; }
__device__ int* of_block(int* out) { return out + blockIdx.x * kElements; }

__global__ void row_row(int* out) {
  __shared__ int tile[kSide][kSide];
  tile[threadIdx.y][threadIdx.x] = own();
  __syncthreads();
  of_block(out)[own()] = tile[threadIdx.y][threadIdx.x];
}

__global__ void column_column(int* out) {
  __shared__ int tile[kSide][kSide];
  tile[threadIdx.x][threadIdx.y] = own();
  __syncthreads();
  of_block(out)[own()] = tile[threadIdx.x][threadIdx.y];
}

__global__ void row_column(int* out) {
  __shared__ int tile[kSide][kSide];
  tile[threadIdx.y][threadIdx.x] = own();
  __syncthreads();
  of_block(out)[own()] = tile[threadIdx.x][threadIdx.y];
}

__global__ void row_column_padded(int* out) {
  __shared__ int tile[kSide][kPitch];
  tile[threadIdx.y][threadIdx.x] = own();
  __syncthreads();
  of_block(out)[own()] = tile[threadIdx.x][threadIdx.y];
}

__global__ void row_column_dynamic(int* out) {
  extern __shared__ int tile[];
  tile[threadIdx.y * kSide + threadIdx.x] = own();
  __syncthreads();
  of_block(out)[own()] = tile[threadIdx.x * kSide + threadIdx.y];
}

__global__ void row_column_dynamic_padded(int* out) {
  extern __shared__ int tile[];
  tile[threadIdx.y * kPitch + threadIdx.x] = own();
  __syncthreads();
  of_block(out)[own()] = tile[threadIdx.x * kPitch + threadIdx.y];
}

struct Way {
  const char* name;
  void (*kernel)(int*);
  int dynamic_bytes;
  bool turned;  // whether the output is the transpose
};

float microseconds(const Way& way, int* out, int blocks) {
  const dim3 block(kSide, kSide);
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(begin));
  way.kernel<<<blocks, block, way.dynamic_bytes>>>(out);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  return 1000 * milliseconds;
}

int main(int count, char** arguments) {
  const int blocks = count > 1 ? std::atoi(arguments[1]) : 1;
  const Way ways[] = {
      {"row_row", row_row, 0, false},
      {"column_column", column_column, 0, false},
      {"row_column", row_column, 0, true},
      {"row_column_padded", row_column_padded, 0, true},
      {"row_column_dynamic", row_column_dynamic, kElements * 4, true},
      {"row_column_dynamic_padded", row_column_dynamic_padded,
       kSide * kPitch * 4, true},
  };
  int* out = nullptr;
  CHECK(cudaMalloc(&out, blocks * kElements * sizeof(int)));
  std::vector<int> host(kElements);
  for (const Way& way : ways) {
    microseconds(way, out, blocks);  // the first launch loads the kernel
    const float time = microseconds(way, out, blocks);
    CHECK(cudaMemcpy(host.data(), out, kElements * sizeof(int),
                     cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < kElements; ++i)
      wrong += host[i] != (way.turned ? i % kSide * kSide + i / kSide : i);
    std::printf("%-26s out = %d %d %d ... %d wrong, %.1f us\n", way.name,
                host[0], host[1], host[2], wrong, time);
  }
  CHECK(cudaFree(out));
}
