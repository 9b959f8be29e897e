// Every way in which lanes hand values over, as one warp sees it: broadcast,
// up, down, around, xor, and the exchange of an array and of a struct.
//
//   ./course run labs/07_shuffles/demo/shuffles.cu
//   nvcc -cudart shared -arch=native shuffles.cu && ./a.out 8    groups of 8
//
// Lane l begins with the value l, or 100 * l + j for element j.
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

constexpr int kLanes = 32;
constexpr unsigned kAll = 0xffffffff;  // every lane takes part
constexpr int kRows = 12;

struct Body {
  int mass, charge, radius, heat, age;
};

__device__ Body exchanged(Body mine, int mask) {
  Body other;
  other.mass = __shfl_xor_sync(kAll, mine.mass, mask);
  other.charge = __shfl_xor_sync(kAll, mine.charge, mask);
  other.radius = __shfl_xor_sync(kAll, mine.radius, mask);
  other.heat = __shfl_xor_sync(kAll, mine.heat, mask);
  other.age = __shfl_xor_sync(kAll, mine.age, mask);
  return other;
}

// out[row * 32 + lane]; `width` lanes are a group.
__global__ void hand_over(int* out, int width) {
  const int lane = threadIdx.x;
  int row = 0;
  const auto put = [&](int value) { out[row++ * kLanes + lane] = value; };

  put(__shfl_sync(kAll, lane, 3, width));
  put(__shfl_up_sync(kAll, lane, 2, width));
  put(__shfl_down_sync(kAll, lane, 2, width));
  put(__shfl_sync(kAll, lane, (lane + 2) % width, width));
  put(__shfl_xor_sync(kAll, lane, 1, width));
  put(__shfl_xor_sync(kAll, lane, 5, width));

  // An array: one shuffle an element, and an index that is known when the loop
  // is unrolled, so that the array stays in registers.
  int array[4];
#pragma unroll
  for (int j = 0; j < 4; ++j) array[j] = 100 * lane + j;
#pragma unroll
  for (int j = 0; j < 4; ++j) array[j] = __shfl_xor_sync(kAll, array[j], 1);
  put(array[0]);
  put(array[3]);

  // Different elements for different lanes: even lanes give their first, odd
  // lanes their last, and what comes takes its place. Which one is chosen by a
  // condition, not by an index.
  const bool odd = lane % 2 == 1;
  const int given = odd ? array[3] : array[0];
  const int taken = __shfl_xor_sync(kAll, given, 1);
  if (odd)
    array[3] = taken;
  else
    array[0] = taken;
  put(array[0]);
  put(array[3]);

  const int first = 100 * lane;
  const Body other =
      exchanged({first, first + 1, first + 2, first + 3, first + 4}, 16);
  put(other.mass);
  put(other.age);
}

int main(int count, char** arguments) {
  const int width = count > 1 ? std::atoi(arguments[1]) : 16;
  if (width != 2 && width != 4 && width != 8 && width != 16 && width != 32) {
    std::fprintf(stderr, "the width has to be 2, 4, 8, 16 or 32\n");
    return 1;
  }
  const char* const names[kRows] = {"from lane 3",
                                    "up by 2",
                                    "down by 2",
                                    "around by 2",
                                    "xor 1",
                                    "xor 5",
                                    "array[0], xor 1",
                                    "array[3], xor 1",
                                    "after a swap",
                                    "and its array[3]",
                                    "body.mass, xor 16",
                                    "body.age, xor 16"};
  int* out = nullptr;
  CHECK(cudaMalloc(&out, kRows * kLanes * sizeof(int)));
  hand_over<<<1, kLanes>>>(out, width);
  CHECK(cudaGetLastError());
  int host[kRows][kLanes];
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(out));

  std::printf("groups of %d lanes\n", width);
  for (int row = 0; row < kRows; ++row) {
    std::printf("%-18s", names[row]);
    for (int lane = 0; lane < kLanes; ++lane)
      std::printf(" %d", host[row][lane]);
    std::printf("\n");
  }
}
