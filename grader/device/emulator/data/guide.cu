// cuda::barrier, cuda::pipeline and memcpy_async, as the programming guide uses them.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int kThreads = 128;

__global__ void guide_barrier(int* out, const int* in) {
  __shared__ block_barrier barrier;
  __shared__ int values[kThreads];
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  for (int round = 0; round < 3; ++round) {
    values[threadIdx.x] = in[threadIdx.x] + round;
    auto token = barrier.arrive();
    barrier.wait(std::move(token));
    out[round * kThreads + threadIdx.x] = values[kThreads - 1 - threadIdx.x];
    barrier.arrive_and_wait();
  }
}
// Half of the block produces, half consumes, through two buffers.
__global__ void guide_producers(int* out, const int* in) {
  __shared__ block_barrier bar[4]; // two ready to be filled, two filled
  __shared__ int buffer[2][kThreads / 2];
  if (threadIdx.x < 4) init(bar + threadIdx.x, kThreads);
  __syncthreads();
  const int half = kThreads / 2, me = threadIdx.x % half;
  if (threadIdx.x < half) {
    for (int i = 0; i < 6; ++i) {
      bar[i % 2].arrive_and_wait();
      buffer[i % 2][me] = in[i * half + me];
      (void)bar[i % 2 + 2].arrive();
    }
  } else {
    (void)bar[0].arrive();
    (void)bar[1].arrive();
    int sum = 0;
    for (int i = 0; i < 6; ++i) {
      bar[i % 2 + 2].arrive_and_wait();
      sum += buffer[i % 2][(me + 1) % half];
      (void)bar[i % 2].arrive();
    }
    out[me] = sum;
  }
}
__global__ void guide_memcpy_async(int* out, const int* in) {
  __shared__ block_barrier barrier;
  __shared__ alignas(16) int values[kThreads];
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    cuda::memcpy_async(block, values, in + round * kThreads,
                       cuda::aligned_size_t<16>(sizeof(int) * kThreads), barrier);
    barrier.arrive_and_wait();
    sum += values[kThreads - 1 - threadIdx.x];
    barrier.arrive_and_wait();
  }
  out[threadIdx.x] = sum;
}
__global__ void guide_memcpy_words(int* out, const int* in) {
  __shared__ block_barrier barrier;
  __shared__ int values[kThreads];
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  cuda::memcpy_async(block, values, in, sizeof(int) * kThreads, barrier);
  barrier.arrive_and_wait();
  out[threadIdx.x] = values[kThreads - 1 - threadIdx.x];
}
__global__ void guide_cg_memcpy(int* out, const int* in) {
  __shared__ alignas(16) int values[kThreads];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, values, in, sizeof(int) * kThreads);
  cg::wait(block);
  out[threadIdx.x] = values[kThreads - 1 - threadIdx.x];
}
__global__ void guide_pipeline(int* out, const int* in) {
  constexpr int kDepth = 2;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kDepth> state;
  __shared__ alignas(16) int values[kDepth][kThreads];
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const auto fetch = [&](int round) {
    pipeline.producer_acquire();
    cuda::memcpy_async(block, values[round % kDepth], in + round * kThreads, sizeof(int) * kThreads,
                       pipeline);
    pipeline.producer_commit();
  };
  fetch(0);
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    if (round + 1 < 4) fetch(round + 1);
    pipeline.consumer_wait();
    sum += values[round % kDepth][kThreads - 1 - threadIdx.x];
    pipeline.consumer_release();
  }
  out[threadIdx.x] = sum;
}
__global__ void guide_roles(int* out, const int* in) {
  constexpr int kDepth = 2;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kDepth> state;
  __shared__ alignas(16) int values[kDepth][64];
  const auto block = cg::this_thread_block();
  const bool produces = threadIdx.x < 64;
  const auto role = produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipeline = cuda::make_pipeline(block, &state, role);
  int sum = 0;
  for (int round = 0; round < 6; ++round) {
    if (produces) {
      pipeline.producer_acquire();
      cuda::memcpy_async(&values[round % kDepth][threadIdx.x], in + round * 64 + threadIdx.x,
                         cuda::aligned_size_t<4>(4), pipeline);
      pipeline.producer_commit();
    } else {
      pipeline.consumer_wait();
      sum += values[round % kDepth][127 - threadIdx.x];
      pipeline.consumer_release();
    }
  }
  if (!produces) out[threadIdx.x - 64] = sum;
}
