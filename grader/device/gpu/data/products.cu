// Products of warpgroups, to see which lines their machine code has. Not to be executed: nothing
// describes a tile.
#include <cstdint>

#define FOUR(d) "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])

__device__ void wait(uint64_t* barrier, int phase) {
  int done = 0;
  while (!done)
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;"
                 "selp.s32 %0, 1, 0, p;}"
                 : "=r"(done)
                 : "r"((uint32_t)__cvta_generic_to_shared(barrier)), "r"(phase)
                 : "memory");
}
__device__ void multiply(float* d, uint64_t a, uint64_t b) {
  asm volatile("{.reg .pred p; setp.eq.u32 p, 1, 1;"
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3},"
               " %4, %5, p, 1, 1, 0, 0;}"
               : FOUR(d)
               : "l"(a), "l"(b));
}
__device__ void multiply_again(float* d, uint64_t a, uint64_t b) {
  asm volatile("{.reg .pred p; setp.eq.u32 p, 1, 1;"
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3},"
               " %4, %5, p, 1, 1, 0, 0;}"
               : FOUR(d)
               : "l"(a), "l"(b));
}
__device__ void begin() {
  asm volatile("wgmma.fence.sync.aligned;");
}
__device__ void end() {
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
}

extern "C" __global__ void on_one_line(float* out, uint64_t a, uint64_t b, int steps) {
  __shared__ uint64_t full;
  float d[4] = {};
  for (int step = 0; step < steps; ++step) {
    wait(&full, step % 2);
    begin();
    for (int piece = 0; piece < 4; ++piece) multiply(d, a + 2 * piece, b + 2 * piece);
    end();
  }
  for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = d[i];
}

extern "C" __global__ void on_two_lines(float* out, uint64_t a, uint64_t b, int steps) {
  __shared__ uint64_t full;
  float d[4] = {};
  for (int step = 0; step < steps; ++step) {
    wait(&full, step % 2);
    begin();
    multiply(d, a, b);
    multiply_again(d, a + 2, b + 2);
    end();
  }
  for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = d[i];
}
