// Cooperative grids: what this_grid().sync() orders, and what becomes of blocks that never come to
// it. And kernels of two streams.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ int of_the_block_behind(const int* of) {
  return of[(blockIdx.x + 1) % gridDim.x];
}

__global__ void handed_on(int* out, int* parts) {
  if (threadIdx.x == 0) parts[blockIdx.x] = 10 + blockIdx.x;
  cg::this_grid().sync();
  if (threadIdx.x == 0) out[blockIdx.x] = of_the_block_behind(parts);
}

__global__ void handed_on_by_halves(int* out, int* parts) { // arrives, works, waits
  auto grid = cg::this_grid();
  if (threadIdx.x == 0) parts[blockIdx.x] = 10 + blockIdx.x;
  auto token = grid.barrier_arrive();
  grid.barrier_wait(std::move(token));
  if (threadIdx.x == 0) out[blockIdx.x] = of_the_block_behind(parts);
}

__global__ void not_waited_for(int* out, int* parts) {
  auto grid = cg::this_grid();
  if (threadIdx.x == 0) parts[blockIdx.x] = 10 + blockIdx.x;
  auto token = grid.barrier_arrive();
  if (threadIdx.x == 0) out[blockIdx.x] = of_the_block_behind(parts);
  grid.barrier_wait(std::move(token));
}

__global__ void barrier_of_the_block(int* out, int* parts) {
  if (threadIdx.x == 0) parts[blockIdx.x] = 10 + blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = of_the_block_behind(parts);
}

__global__ void one_sum(int* out, int* parts, int n) { // of 1 … n, in two phases
  __shared__ int part[64];
  auto grid = cg::this_grid();
  int sum = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += i + 1;
  part[threadIdx.x] = sum;
  for (int apart = blockDim.x / 2; apart > 0; apart /= 2) {
    __syncthreads();
    if (threadIdx.x < apart) part[threadIdx.x] += part[threadIdx.x + apart];
  }
  if (threadIdx.x == 0) parts[blockIdx.x] = part[0];
  grid.sync();
  if (grid.thread_rank() != 0) return;
  *out = 0;
  for (int b = 0; b < gridDim.x; ++b) *out += parts[b];
}

__global__ void rounds(int* a, int* b, int count) { // each round reads what the last one wrote
  const int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  for (int round = 0; round < count; ++round) {
    b[i] = a[(i + 1) % all];
    cg::this_grid().sync();
    int* other = a;
    a = b;
    b = other;
  }
}

__global__ void one_barrier_a_round(int* a, int* b, int count) { // in place: two are needed
  const int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  for (int round = 0; round < count; ++round) {
    const int next = a[(i + 1) % all];
    cg::this_grid().sync();
    a[i] = next;
  }
}

__global__ void one_block_stays_away(int* out, int*) {
  if (blockIdx.x != 2) cg::this_grid().sync();
  if (threadIdx.x == 40) out[blockIdx.x] = 1;
}

__global__ void first_threads_leave(int* out, int*) { // of the last block
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x < 32) return;
  cg::this_grid().sync();
  if (threadIdx.x == 40) out[blockIdx.x] = 1;
}

// ---- of two streams

__global__ void produce(int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 7;
}
__global__ void consume(int* out, const int* in) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
}
__global__ void count_in(int* out) {
  atomicAdd(out, 1);
}
__global__ void mark_odd(unsigned char* out) {
  out[2 * threadIdx.x + 1] = 1;
}
__global__ void mark_even(unsigned char* out) {
  out[2 * threadIdx.x] = 1;
}

// ---- of one stream, the second before the first has ended

__global__ void produce_early(int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 7;
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
__global__ void consume_behind(int* out, const int* in) {
  asm volatile("griddepcontrol.wait;" ::: "memory");
  out[blockIdx.x * blockDim.x + threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
}
__global__ void consume_behind_one(int* out, const int* in) { // that has waited for all
  if (threadIdx.x == 0) asm volatile("griddepcontrol.wait;" ::: "memory");
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
}
__global__ void consume_before(int* out, const int* in) {
  const int found = in[blockIdx.x * blockDim.x + threadIdx.x];
  asm volatile("griddepcontrol.wait;" ::: "memory");
  out[blockIdx.x * blockDim.x + threadIdx.x] = found;
}
__global__ void consume_behind_some(int* out, const int* in) { // and no barrier for the others
  if (threadIdx.x < 32) asm volatile("griddepcontrol.wait;" ::: "memory");
  out[blockIdx.x * blockDim.x + threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
}

// ---- handed on from launch to launch, by a flag

__device__ void raise(int* flag) {
  asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
}
__device__ void wait_for(int* flag) {
  int is = 0;
  while (!is) asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(is) : "l"(flag) : "memory");
}
__global__ void publish(int* out, int* flag) {
  out[threadIdx.x] = 7;
  __syncthreads();
  if (threadIdx.x == 0) raise(flag);
}
__global__ void relay(int* from, int* to) {
  if (threadIdx.x != 0) return;
  wait_for(from);
  raise(to);
}
__global__ void take(int* out, const int* in, int* flag) {
  if (threadIdx.x == 0) wait_for(flag);
  __syncthreads();
  out[threadIdx.x] = in[threadIdx.x];
}
__global__ void only_waits() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}
