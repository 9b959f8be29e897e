// What the kernels of this folder have in common. `out` and `in` have 1,024 words; `out` begins as
// zeros, `in` as 1, 2, 3 …, and every variable of the device as zero.
//
// Blocks that wait for each other take their parts in the order in which they come, by an atomic,
// so that none waits for one that has not begun; and none waits for ever.
#pragma once

#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda_pipeline.h>

#define KERNEL(name) extern "C" __global__ void name(int* out, const int* in)

constexpr unsigned kAll = 0xffffffff;
#ifndef PATIENCE // small where every order is tried, in which patience ends sooner or later
#define PATIENCE 1 << 20
#endif
constexpr int kPatience = PATIENCE;

// Waits for the condition; a thread whose patience has ended leaves.
#define AWAIT(condition)                                                                           \
  for (int left = kPatience; !(condition);)                                                        \
    if (--left == 0) return

#define STORE_GLOBAL(how, variable, value)                                                         \
  asm volatile("st." how ".s32 [%0], %1;" ::"l"(&(variable)), "r"(value) : "memory")
#define LOAD_GLOBAL(how, value, variable)                                                          \
  asm volatile("ld." how ".s32 %0, [%1];" : "=r"(value) : "l"(&(variable)) : "memory")
#define ADD_GLOBAL(how, variable, value)                                                           \
  asm volatile("red." how ".add.s32 [%0], %1;" ::"l"(&(variable)), "r"(value) : "memory")

__device__ inline int index_in_grid() {
  return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}
__device__ inline int threads_of_grid() {
  return static_cast<int>(gridDim.x * blockDim.x);
}
