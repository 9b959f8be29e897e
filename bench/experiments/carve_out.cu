// How much of a multiprocessor is shared memory, for each wish: seen from both sides. Blocks that
// count who is there at the same time, and the largest ring of addresses that stays in what is left
// as first-level cache.
//
//   wish,block_bytes,resident_blocks,cache_kib
//
// wish: cudaFuncAttributePreferredSharedMemoryCarveout in per cent, -1: none. resident_blocks: the
// most at one time on one multiprocessor, of blocks that ask for block_bytes of shared memory (one
// KiB more each is the system's). cache_kib: the largest ring without misses, of a kernel that asks
// for as much. Then, as lines that begin with "alternating", what it costs when two kernels of
// different wishes take turns in one stream, or run in two.
#include "experiment.cuh"

namespace {

using experiment::must;

constexpr int kMultiprocessors = 256; // at the most
constexpr int kLine = 128;            // bytes

__device__ void wait(long long cycles) {
  const long long until = clock64() + cycles;
  while (clock64() < until) {
  }
}

__global__ void resident(int* now, int* most) {
  if (threadIdx.x != 0) return;
  unsigned here;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(here));
  atomicMax(&most[here], atomicAdd(&now[here], 1) + 1);
  wait(40000);
  atomicSub(&now[here], 1);
}

// Lane 0 goes twice around the ring, and then once more by the clock.
__global__ void around(const int* ring, int lines, int* cycles_a_read) {
  if (threadIdx.x != 0) return;
  int at = 0;
  long long begin = 0;
  for (int round = 0; round < 3; ++round) {
    begin = clock64();
    for (int i = 0; i < lines; ++i)
      asm volatile("ld.global.ca.s32 %0, [%1];" : "=r"(at) : "l"(ring + at));
  }
  *cycles_a_read = static_cast<int>((clock64() - begin) / lines) + (at == -1);
}

__global__ void linked(int* ring, int lines) {
  for (int i = threadIdx.x; i < lines; i += blockDim.x)
    ring[i * (kLine / 4)] = (i + 1) % lines * (kLine / 4);
}

__global__ void first_turn(long long cycles) {
  wait(cycles);
}
__global__ void second_turn(long long cycles) {
  wait(cycles);
}

template <class Kernel>
void wish_for(Kernel kernel, int per_cent, int block_bytes) {
  must(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, block_bytes),
       "opting in");
  must(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, per_cent),
       "the wish");
}

int most_resident(int per_cent, int block_bytes) {
  static int* const counts = contest::memory<int>(2 * kMultiprocessors);
  must(cudaMemset(counts, 0, 2 * kMultiprocessors * sizeof(int)), "cudaMemset");
  wish_for(resident, per_cent, block_bytes);
  resident<<<132 * 32 * 3, 32, block_bytes>>>(counts, counts + kMultiprocessors);
  must(cudaGetLastError(), "resident");
  int host[kMultiprocessors];
  must(cudaMemcpy(host, counts + kMultiprocessors, sizeof host, cudaMemcpyDeviceToHost), "counts");
  return *std::max_element(host, host + kMultiprocessors);
}

int cache_kib(int per_cent, int block_bytes) {
  static int* const ring = contest::memory<int>(256 * 1024 / 4);
  static int* const cycles = contest::memory<int>(1);
  wish_for(around, per_cent, block_bytes);
  int fits = 0;
  for (int kib = 4; kib <= 256; kib += 4) {
    const int lines = kib * 1024 / kLine;
    linked<<<1, 256>>>(ring, lines);
    around<<<1, 32, block_bytes>>>(ring, lines, cycles);
    int took = 0;
    must(cudaMemcpy(&took, cycles, sizeof took, cudaMemcpyDeviceToHost), "cycles");
    if (took >= 60) break;
    fits = kib;
  }
  return fits;
}

struct Wish {
  int per_cent, block_bytes;
};

// Microseconds a pair of launches, of 100 pairs.
experiment::Interval pair_us(Wish first, Wish second, bool two_streams) {
  wish_for(first_turn, first.per_cent, first.block_bytes);
  wish_for(second_turn, second.per_cent, second.block_bytes);
  cudaStream_t streams[2];
  for (auto& stream : streams)
    must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  cudaEvent_t before, after, joined;
  for (auto* event : {&before, &after, &joined}) must(cudaEventCreate(event), "event");
  std::vector<double> runs;
  for (int run = -2; run < 31; ++run) {
    must(cudaDeviceSynchronize(), "before");
    must(cudaEventRecord(before, streams[0]), "event");
    must(cudaStreamWaitEvent(streams[1], before), "event");
    for (int pair = 0; pair < 100; ++pair) {
      first_turn<<<132, 32, first.block_bytes, streams[0]>>>(20000);
      second_turn<<<132, 32, second.block_bytes, streams[two_streams ? 1 : 0]>>>(20000);
    }
    must(cudaEventRecord(joined, streams[1]), "event");
    must(cudaStreamWaitEvent(streams[0], joined), "event");
    must(cudaEventRecord(after, streams[0]), "event");
    must(cudaEventSynchronize(after), "after");
    float milliseconds = 0;
    must(cudaEventElapsedTime(&milliseconds, before, after), "event");
    if (run >= 0) runs.push_back(10 * milliseconds);
  }
  return experiment::interval(runs);
}

} // namespace

int main() {
  std::puts("wish,block_bytes,resident_blocks,cache_kib");
  for (int wish = -1; wish <= 100; ++wish)
    std::printf("%d,%d,%d,%d\n", wish, 7 * 1024, most_resident(wish, 7 * 1024), cache_kib(wish, 0));
  for (const int kib : {1, 3, 7, 15, 23, 31, 37, 47, 55, 63, 75, 99, 113, 131, 163, 195, 227})
    for (const int wish : {-1, 0, 100}) {
      const int bytes = kib * 1024;
      std::printf("%d,%d,%d,%d\n", wish, bytes, most_resident(wish, bytes), cache_kib(wish, bytes));
    }
  std::puts("alternating,first_wish,first_bytes,second_wish,second_bytes,streams,pair_us,low,high");
  constexpr int kSmall = 1024, kLarge = 100 * 1024;
  const std::pair<Wish, Wish> pairs[] = {{{0, 0}, {0, 0}},
                                         {{0, 0}, {100, 0}},
                                         {{0, kSmall}, {0, kSmall}},
                                         {{100, kSmall}, {100, kLarge}},
                                         {{0, kSmall}, {100, kLarge}}};
  for (const bool two_streams : {false, true})
    for (const auto& [first, second] : pairs) {
      const auto of = pair_us(first, second, two_streams);
      std::printf("alternating,%d,%d,%d,%d,%d,%.2f,%.2f,%.2f\n", first.per_cent, first.block_bytes,
                  second.per_cent, second.block_bytes, two_streams ? 2 : 1, of.median, of.low,
                  of.high);
    }
  return 0;
}
