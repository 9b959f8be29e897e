// honest: is a cuda::pipeline of a warp that produces and four that consume
#include <cooperative_groups.h>

#include <cuda/pipeline>

namespace cg = cooperative_groups;

constexpr int kStages = 4, kChunk = 128;  // numbers of a stage
constexpr int kEach = 32;                 // chunks of a block
constexpr int kThreads = 32 + kChunk;

__global__ void __launch_bounds__(kThreads)
    reverse_chunks(float* out, const float* in, int n) {
  __shared__ float stages[kStages][kChunk];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages>
      state;
  const int t = threadIdx.x, first = blockIdx.x * kEach;
  const int end = min(first + kEach, n / kChunk);
  const auto role =
      t < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state, role);
  for (int chunk = first; chunk < end; ++chunk) {
    float* const stage = stages[(chunk - first) % kStages];
    if (t < 32) {
      pipe.producer_acquire();
      for (int i = t; i < kChunk; i += 32) stage[i] = in[chunk * kChunk + i];
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      out[n - 1 - chunk * kChunk - (t - 32)] = stage[t - 32];
      pipe.consumer_release();
    }
  }
}

void reverse(float* out, const float* in, int n) {
  const int blocks = (n / kChunk + kEach - 1) / kEach;
  if (n > 0) reverse_chunks<<<blocks, kThreads>>>(out, in, n);
}
