// Asynchronous copies: in groups, with zeros behind them, and used too early.
#include <cuda_pipeline.h>
// Two tiles in flight at a time.
__global__ void two_in_flight(float* out, const float* in, int rounds, int wait) {
  __shared__ __align__(16) float tile[2][128];
  const int t = threadIdx.x;
  const auto fetch = [&](int round) {
    if (t < 32) __pipeline_memcpy_async(&tile[round % 2][4 * t], &in[round * 128 + 4 * t], 16);
    __pipeline_commit();
  };
  fetch(0);
  float sum = 0;
  for (int round = 0; round < rounds; ++round) {
    if (round + 1 < rounds)
      fetch(round + 1);
    else
      __pipeline_commit();
    if (wait) __pipeline_wait_prior(1);
    __syncthreads();
    sum += tile[round % 2][127 - t];
    __syncthreads();
  }
  __pipeline_wait_prior(0);
  out[t] = sum;
}
// Three groups of one copy; how many may still be in flight when their copies are read.
template <int kPrior>
__global__ void groups(int* out, const int* in) {
  __shared__ int tile[3][32];
  const int t = threadIdx.x;
  for (int g = 0; g < 3; ++g) {
    __pipeline_memcpy_async(&tile[g][t], &in[32 * g + t], 4);
    __pipeline_commit();
  }
  __pipeline_wait_prior(kPrior);
  for (int g = 0; g < 3 - kPrior; ++g) out[32 * g + t] = tile[g][t];
}
template __global__ void groups<0>(int*, const int*);
template __global__ void groups<1>(int*, const int*);
template __global__ void groups<2>(int*, const int*);
__global__ void reads_one_too_many(int* out, const int* in) {
  __shared__ int tile[2][32];
  const int t = threadIdx.x;
  for (int g = 0; g < 2; ++g) {
    __pipeline_memcpy_async(&tile[g][t], &in[32 * g + t], 4);
    __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  out[t] = tile[1][t];
}
// wait_all also waits for what was never committed.
__global__ void wait_for_everything(int* out, const int* in) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], 4);
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[t] = tile[t];
}
__global__ void zeros_behind(int4* out, const int4* in, int zeros) {
  __shared__ int4 tile[32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], 16, t % 2 ? zeros : 0);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = tile[t];
}
__global__ void stores_meanwhile(int* out, const int* in) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], 4);
  __pipeline_commit();
  tile[t] = 1;
  __pipeline_wait_prior(0);
  out[t] = tile[t];
}
__global__ void adds_meanwhile(int* out, const int* in) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], 4);
  __pipeline_commit();
  __syncthreads();
  atomicAdd(&tile[31 - t], 1);
  __pipeline_wait_prior(0);
  out[t] = tile[t];
}
__global__ void copies_meanwhile(int* out, const int* in) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  for (int i = 0; i < 2; ++i) __pipeline_memcpy_async(&tile[t], &in[32 * i + t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = tile[t];
}
__global__ void all_to_one_place(int* out, const int* in, int apart) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  __pipeline_memcpy_async(&tile[0], &in[t * apart], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = tile[0];
}
// Thread 31 - t wrote tile[t], and only it has waited.
__global__ void no_barrier_behind(int* out, const int* in) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[31 - t], &in[31 - t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = tile[t];
}
// More than a warp may have in flight.
__global__ void never_waits(int* out, const int* in, int rounds) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  for (int i = 0; i < rounds; ++i) __pipeline_memcpy_async(&tile[t], &in[t], 4);
  out[t] = rounds;
}
// What a copy reads is stored again: its own thread's word, or another's, `apart` from it.
template <bool kWaits, bool kBarrier>
__global__ void source_stored(int* out, int* from, int apart) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &from[t], 4);
  __pipeline_commit();
  if (kWaits) __pipeline_wait_prior(0);
  if (kBarrier) __syncthreads();
  from[apart < 128 ? (t + apart) % 128 : t + apart] = -t;
  if (!kWaits) __pipeline_wait_prior(0);
  out[t] = tile[t];
}
// All have waited, and not behind a barrier: of another's copy that says nothing.
__global__ void source_barrier_early(int* out, int* from) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &from[t], 4);
  __pipeline_commit();
  __syncthreads();
  __pipeline_wait_prior(0);
  from[(t + 33) % 128] = -t;
  out[t] = tile[t];
}
// A barrier in memory is told of the copies.
template <bool kWaits>
__global__ void source_told(int* out, int* from, int apart) {
  __shared__ int tile[128];
  __shared__ unsigned long long full;
  const int t = threadIdx.x;
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(&full));
  if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 128;" ::"r"(at) : "memory");
  __syncthreads();
  __pipeline_memcpy_async(&tile[t], &from[t], 4);
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at) : "memory");
  if (!kWaits) from[(t + apart) % 128] = -t;
  asm volatile("{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared.b64 p, [%0], 0;\n"
               "@!p bra again;\n}" ::"r"(at)
               : "memory");
  if (kWaits) from[(t + apart) % 128] = -t;
  out[t] = tile[t];
}
template __global__ void source_told<true>(int*, int*, int);
template __global__ void source_told<false>(int*, int*, int);
template __global__ void source_stored<true, true>(int*, int*, int);
template __global__ void source_stored<true, false>(int*, int*, int);
template __global__ void source_stored<false, true>(int*, int*, int);
template __global__ void source_stored<false, false>(int*, int*, int);
