// Six transposes and the two that bound them: a copy, which is as good as it
// gets, and the naive transpose, which is what to leave behind.
//
//   ./course run labs/05_transpose/demo/transposes.cu       counts
//   nvcc -cudart shared -arch=native transposes.cu          on a GPU: times
//   ./a.out 4096                                            the matrix's side
//
// Sectors a request, for stores to global memory: naive 16 with 16x16 threads,
// 32 with 32x8, all others 4. Conflicts: none but in the unpadded tiles.
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

constexpr int kTile = 32;

// A bound from above: the same bytes, in order. Not a transpose.
__global__ void copy(float* out, const float* in, int side) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < side && col < side) out[row * side + col] = in[row * side + col];
}

// A bound from below: lanes write a row apart.
__global__ void naive(float* out, const float* in, int side) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < side && col < side) out[col * side + row] = in[row * side + col];
}

// A tile of 32x32 by 32x8 threads, four rows each; kPad words after each row.
template <int kPad>
__global__ void tiled(float* out, const float* in, int side) {
  __shared__ float tile[kTile][kTile + kPad];
  const int x = threadIdx.x;
  const int left = blockIdx.x * kTile, top = blockIdx.y * kTile;
  for (int y = threadIdx.y; y < kTile; y += blockDim.y)
    if (top + y < side && left + x < side)
      tile[y][x] = in[(top + y) * side + left + x];
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += blockDim.y)
    if (left + y < side && top + x < side)
      out[(left + y) * side + top + x] = tile[x][y];
}

// Two tiles side by side a block, in memory that the launch sizes: twice the
// loads under way.
__global__ void two_tiles(float* out, const float* in, int side) {
  extern __shared__ float tile[];
  constexpr int kPitch = 2 * kTile + 1;
  const int x = threadIdx.x;
  const int left = blockIdx.x * 2 * kTile, top = blockIdx.y * kTile;
  for (int y = threadIdx.y; y < kTile; y += blockDim.y)
    for (int half = 0; half < 2 * kTile; half += kTile)
      if (top + y < side && left + half + x < side)
        tile[y * kPitch + half + x] = in[(top + y) * side + left + half + x];
  __syncthreads();
  for (int y = threadIdx.y; y < 2 * kTile; y += blockDim.y)
    if (left + y < side && top + x < side)
      out[(left + y) * side + top + x] = tile[x * kPitch + y];
}

struct Way {
  const char* name;
  void (*kernel)(float*, const float*, int);
  dim3 block;
  int wide, high;  // of what a block transposes
  int dynamic_bytes;
  bool turns;
};

void measure(const Way& way, float* out, const float* in, int side) {
  const size_t elements = size_t(side) * side;
  const dim3 grid((side + way.wide - 1) / way.wide,
                  (side + way.high - 1) / way.high);
  CHECK(cudaMemset(out, 0xff, elements * sizeof(float)));
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  float milliseconds = 0;
  for (int warm = 0; warm < 2; ++warm) {  // the first launch loads the kernel
    CHECK(cudaEventRecord(begin));
    way.kernel<<<grid, way.block, way.dynamic_bytes>>>(out, in, side);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));

  std::vector<float> host(elements);
  CHECK(cudaMemcpy(host.data(), out, elements * sizeof(float),
                   cudaMemcpyDeviceToHost));
  size_t wrong = 0;
  for (size_t i = 0; i < elements; ++i)
    wrong += !(host[i] == float(way.turns ? i % side * side + i / side : i));
  std::printf("%-22s %zu wrong, %8.1f us, %7.1f GB/s\n", way.name, wrong,
              1000 * milliseconds, 8e-6 * elements / milliseconds);
}

int main(int count, char** arguments) {
  const int side = count > 1 ? std::atoi(arguments[1]) : 128;
  if (side < 1 || side > 4096) {  // beyond it floats cannot count elements
    std::fprintf(stderr, "the side has to be from 1 to 4096\n");
    return 1;
  }
  std::vector<float> host(size_t(side) * side);
  for (size_t i = 0; i < host.size(); ++i) host[i] = float(i);
  float *in = nullptr, *out = nullptr;
  const size_t bytes = host.size() * sizeof(float);
  CHECK(cudaMalloc(&in, bytes));
  CHECK(cudaMalloc(&out, bytes));
  CHECK(cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice));
  const int two = kTile * (2 * kTile + 1) * sizeof(float);
  const Way ways[] = {
      {"copy, 16x16", copy, {16, 16}, 16, 16, 0, false},
      {"copy, 32x8", copy, {32, 8}, 32, 8, 0, false},
      {"naive, 16x16", naive, {16, 16}, 16, 16, 0, true},
      {"naive, 32x8", naive, {32, 8}, 32, 8, 0, true},
      {"tiled, 32x8", tiled<0>, {32, 8}, 32, 32, 0, true},
      {"tiled, padded, 32x32", tiled<1>, {32, 32}, 32, 32, 0, true},
      {"tiled, padded, 32x8", tiled<1>, {32, 8}, 32, 32, 0, true},
      {"two tiles, padded", two_tiles, {32, 8}, 64, 32, two, true},
  };
  for (const Way& way : ways) measure(way, out, in, side);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
