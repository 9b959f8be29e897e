// What one block hands to another in flags.cuh and chains.cuh.
#pragma once
#include "kernel.cuh"

namespace handover {
__device__ int arrivals, flag, second_flag, datum, second_datum;
__device__ int flag_of[4], datum_of[4];

using Reference = cuda::atomic_ref<int, cuda::thread_scope_device>;
using BlockReference = cuda::atomic_ref<int, cuda::thread_scope_block>;
} // namespace handover
using namespace handover;
