// Bulk copies, in pairs: kernels that use them as they are meant, and with one mistake each.
#include <cuda/ptx>

#include <cstdint>

namespace ptx = cuda::ptx;

constexpr int kThreads = 128;

__device__ void init(std::uint64_t* barrier, unsigned count) {
  if (threadIdx.x == 0) ptx::mbarrier_init(barrier, count);
  __syncthreads();
}
__device__ void wait(std::uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

__device__ void bulk_load(void* to, const void* from, unsigned bytes, std::uint64_t* barrier) {
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, bytes, barrier);
}

// `expected` bytes are announced, `size` are copied.
template <bool kWaits>
__device__ void tile(int* out, const int* in, unsigned expected, unsigned size) {
  __shared__ alignas(16) int values[kThreads];
  __shared__ std::uint64_t barrier;
  init(&barrier, 1);
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                   expected);
    bulk_load(values, in, size, &barrier);
  }
  if (kWaits) wait(&barrier, 0);
  out[threadIdx.x] = values[kThreads - 1 - threadIdx.x];
}
__global__ void bulk_tile(int* out, const int* in) {
  tile<true>(out, in, 512, 512);
}
__global__ void bulk_not_waited(int* out, const int* in) {
  tile<false>(out, in, 512, 512);
}
__global__ void bulk_too_few(int* out, const int* in) {
  tile<true>(out, in, 256, 512);
}
__global__ void bulk_too_many(int* out, const int* in) {
  tile<true>(out, in, 640, 512);
}
__global__ void bulk_odd_size(int* out, const int* in) {
  tile<true>(out, in, 500, 500);
}
__global__ void bulk_odd_address(int* out, const int* in) {
  tile<true>(out, in + 1, 512, 512);
}
__global__ void bulk_past_the_end(int* out, const int* in) {
  tile<true>(out, in, 528, 528);
}
__global__ void bulk_nothing(int* out, const int* in) {
  __shared__ alignas(16) int values[4];
  __shared__ std::uint64_t barrier;
  init(&barrier, 1);
  if (threadIdx.x == 0) {
    bulk_load(values, in, 0, &barrier);
    ptx::mbarrier_arrive(&barrier);
  }
  wait(&barrier, 0);
  out[threadIdx.x] = 5;
}

// A ring of bulk copies; `released`: the producer waits until a stage is free.
template <bool kReleases>
__device__ void bulk_ring(int* out, const int* in) {
  __shared__ alignas(16) int stage[2][kThreads];
  __shared__ std::uint64_t full[2], empty[2];
  if (threadIdx.x == 0)
    for (int i = 0; i < 2; ++i) {
      ptx::mbarrier_init(&full[i], 1);
      ptx::mbarrier_init(&empty[i], kThreads / 32);
    }
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < 8; ++round) {
    const int s = round & 1, parity = round >> 1 & 1;
    if (threadIdx.x == 0) {
      if (kReleases) wait(&empty[s], parity ^ 1);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[s],
                                     512);
      bulk_load(stage[s], in + round * kThreads, 512, &full[s]);
    }
    wait(&full[s], parity);
    sum += stage[s][kThreads - 1 - threadIdx.x];
    __syncwarp();
    if (threadIdx.x % 32 == 0) ptx::mbarrier_arrive(&empty[s]);
  }
  out[threadIdx.x] = sum;
}
__global__ void bulk_ring_mended(int* out, const int* in) {
  bulk_ring<true>(out, in);
}
__global__ void bulk_ring_refills(int* out, const int* in) {
  bulk_ring<false>(out, in);
}

// What is stored goes out as a whole.
template <bool kFences, bool kWaits>
__device__ void store_tile(int* out, const int* in) {
  __shared__ alignas(16) int values[kThreads];
  values[kThreads - 1 - threadIdx.x] = in[threadIdx.x];
  if (kFences) ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, values, 512);
    ptx::cp_async_bulk_commit_group();
    if (kWaits) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}
__global__ void bulk_store(int* out, const int* in) {
  store_tile<true, true>(out, in);
}
__global__ void bulk_store_unfenced(int* out, const int* in) {
  store_tile<false, true>(out, in);
}
__global__ void bulk_store_not_waited(int* out, const int* in) {
  store_tile<true, false>(out, in);
}
// The fence of the thread that copies, behind the barrier, will do.
__global__ void bulk_store_fenced_late(int* out, const int* in) {
  __shared__ alignas(16) int values[kThreads];
  values[kThreads - 1 - threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, values, 512);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}
// The tile is written again while it may still be read.
__global__ void bulk_store_overwritten(int* out, const int* in) {
  __shared__ alignas(16) int values[kThreads];
  for (int round = 0; round < 2; ++round) {
    values[kThreads - 1 - threadIdx.x] = in[threadIdx.x];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + round * kThreads, values, 512);
      ptx::cp_async_bulk_commit_group();
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
}
// What came by a copy goes out by one: no ordinary store is between.
__global__ void bulk_through(int* out, const int* in) {
  __shared__ alignas(16) int values[kThreads];
  __shared__ std::uint64_t barrier;
  if (threadIdx.x != 0) return;
  ptx::mbarrier_init(&barrier, 1);
  ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                 512);
  bulk_load(values, in, 512, &barrier);
  wait(&barrier, 0);
  ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, values, 512);
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}
__global__ void bulk_sums(int* out, const int* in) {
  __shared__ alignas(16) int values[kThreads];
  values[threadIdx.x] = in[threadIdx.x];
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, out, values, 512);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}
