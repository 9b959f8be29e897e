// When does l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld count what no address explains?
// Loads and stores of shared memory without a conflict, from many blocks: alone, beside loads that
// the first-level cache answers, and beside loads that come from memory.
//
//   ncu --metrics ... ./counter        (bench/experiments.sh has the metrics)
#include "experiment.cuh"

namespace {

constexpr int kRounds = 256, kThreads = 256, kBlocks = 132 * 8;

enum Beside { kNothing, kCache, kMemory };

// Each round: a load and a store of shared memory a lane, in rows.
template <Beside kBeside>
__device__ void rounds(float* out, const float* in) {
  __shared__ float words[kThreads];
  const int t = threadIdx.x;
  const int mine = blockIdx.x * kThreads + t;
  volatile float* const part = words;
  part[t] = 1;
  float sum = 0;
#pragma unroll 8
  for (int i = 0; i < kRounds; ++i) {
    __syncthreads();
    sum += part[t ^ 32];
    __syncthreads();
    part[t] = sum;
    if (kBeside == kCache) sum += in[(t + 32 * i) % 1024];
    if (kBeside == kMemory) sum += in[mine + i * kBlocks * kThreads];
  }
  out[mine] = sum;
}

__global__ void alone(float* out, const float* in) {
  rounds<kNothing>(out, in);
}
__global__ void beside_cache(float* out, const float* in) {
  rounds<kCache>(out, in);
}
__global__ void beside_memory(float* out, const float* in) {
  rounds<kMemory>(out, in);
}

} // namespace

int main() {
  float* const in = contest::memory<float>(std::size_t(kRounds) * kBlocks * kThreads);
  float* const out = contest::memory<float>(kBlocks * kThreads);
  experiment::must(cudaMemset(in, 0, sizeof(float) * kRounds * kBlocks * kThreads), "cudaMemset");
  alone<<<kBlocks, kThreads>>>(out, in);
  beside_cache<<<kBlocks, kThreads>>>(out, in);
  beside_memory<<<kBlocks, kThreads>>>(out, in);
  experiment::must(cudaDeviceSynchronize(), "counter");
  return 0;
}
