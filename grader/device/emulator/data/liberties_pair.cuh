// Two kernels of one function: as it is wrong, and as it is right.
#pragma once

#define PAIR(name, function)                                                                       \
  __global__ void name##_wrong(int* out, int* state) {                                             \
    function<false>(out, state);                                                                   \
  }                                                                                                \
  __global__ void name##_right(int* out, int* state) {                                             \
    function<true>(out, state);                                                                    \
  }

// Of one thread a block.
#define PAIR_OF_BLOCKS(name, function)                                                             \
  __global__ void name##_wrong(int* out, int* state) {                                             \
    if (threadIdx.x == 0) function<false>(out, state);                                             \
  }                                                                                                \
  __global__ void name##_right(int* out, int* state) {                                             \
    if (threadIdx.x == 0) function<true>(out, state);                                              \
  }
