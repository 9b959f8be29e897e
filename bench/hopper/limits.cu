// What becomes of what the manuals leave undefined: registers that warpgroups ask for
// (setmaxnreg), and bits of a matrix descriptor behind its address. A case may never end; so each
// is a run of its own, which waits 3 seconds and then says "no end".
//
//   limits                    the names of the cases
//   limits NAME               one row: the case, how it ended, and for each warpgroup the cycles
//                             until its setmaxnreg was past, -1 if it had none
//   for c in $(./limits); do timeout 20 ./limits $c; done > limits.csv
#include "hopper.cuh"

#include <chrono>
#include <cstring>
#include <thread>

namespace {

using namespace hopper;

// 384 threads get 168 registers each, 504 for three threads of three warpgroups.
constexpr int kThreads = 384, kGroups = kThreads / 128;
constexpr long long kLate = 2'000'000; // cycles, about a millisecond

enum class Case {
  fair,     // 40, 232, 232: 504
  kept,     // nobody gives back, two ask for 232
  all_ask,  // three ask for 232
  late,     // the first gives back a millisecond later
  left,     // the first ends without giving back
  too_many, // 40, 240, 240: 520
  one_warp, // one warp of the first warpgroup gives back, three do not
  twice,    // two ask for 232, the first gives back, and they give back to 168, round after round
  count
};
const char* const kCase[] = {"fair", "kept",     "all_ask",  "late",
                             "left", "too_many", "one_warp", "twice"};

template <int n>
__device__ void give_back() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(n));
}
template <int n>
__device__ void ask() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(n));
}

template <Case what>
__global__ void __launch_bounds__(kThreads, 1) registers(long long* cycles) {
  const int group = threadIdx.x / 128;
  __syncthreads();
  const long long begin = now();
  if (group == 0) {
    if (what == Case::kept) return;
    if (what == Case::left) return;
    if (what == Case::late)
      while (now() - begin < kLate) {
      }
    if (what == Case::fair || what == Case::late || what == Case::too_many) give_back<40>();
    if (what == Case::one_warp && threadIdx.x < 32) give_back<40>();
    if (what == Case::all_ask) ask<232>();
    if (what == Case::twice)
      for (int round = 0; round < 4; ++round) {
        give_back<40>();
        asm volatile("bar.sync 1, 384;");
        asm volatile("bar.sync 1, 384;");
        ask<168>();
      }
  } else {
    if (what == Case::too_many) ask<240>();
    if (what == Case::fair || what == Case::kept || what == Case::late || what == Case::left ||
        what == Case::one_warp || what == Case::all_ask)
      ask<232>();
    if (what == Case::twice)
      for (int round = 0; round < 4; ++round) {
        ask<232>();
        asm volatile("bar.sync 1, 384;");
        give_back<168>();
        asm volatile("bar.sync 1, 384;");
      }
  }
  if (threadIdx.x % 128 == 0) cycles[group] = now() - begin;
}

// As `kept`, but the first warpgroup stays until the others have come: it waits for a word.
__global__ void __launch_bounds__(kThreads, 1) kept_and_waits(long long* cycles) {
  const int group = threadIdx.x / 128;
  __shared__ volatile int past;
  if (threadIdx.x == 0) past = 0;
  __syncthreads();
  const long long begin = now();
  if (group == 0) {
    while (past < 1) {
    }
  } else {
    ask<232>();
    past = 1;
  }
  if (threadIdx.x % 128 == 0) cycles[group] = now() - begin;
}

// Two warpgroups with 128 registers each, which ask for 256: the multiprocessor has as many, what
// the block was launched with has not.
__global__ void __launch_bounds__(256, 2) half_of_the_multiprocessor(long long* cycles) {
  const long long begin = now();
  ask<256>();
  if (threadIdx.x % 128 == 0) cycles[threadIdx.x / 128] = now() - begin;
}

// As the reader of a lab may write it: no bound that leaves the register file full.
__global__ void __launch_bounds__(256, 1) eight_warps(long long* cycles) {
  const long long begin = now();
  ask<256>();
  if (threadIdx.x % 128 == 0) cycles[threadIdx.x / 128] = now() - begin;
}

// One multiplication of 64x16 by 8x16 ones, whose sums are 16 if the descriptor is understood.
// `bits` are added to that of A.
__global__ void described(unsigned long long bits, unsigned* wrong) {
  __shared__ alignas(1024) unsigned short a[64 * 16], b[8 * 16];
  for (int i = threadIdx.x; i < 64 * 16; i += 128) a[i] = 0x3f80;
  for (int i = threadIdx.x; i < 8 * 16; i += 128) b[i] = 0x3f80;
  fence_for_copies();
  __syncthreads();
  const auto of = [](const void* tile) {
    return static_cast<unsigned long long>(place(tile) / 16) | 128ull / 16 << 16 |
           256ull / 16 << 32;
  };
  float d[4] = {};
  asm volatile("{.reg .pred p; setp.eq.u32 p, 1, 1;\n"
               "wgmma.fence.sync.aligned;\n"
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
               "{%0,%1,%2,%3}, %4, %5, p, 1, 1, 0, 0;\n"
               "wgmma.commit_group.sync.aligned;\n"
               "wgmma.wait_group.sync.aligned 0;}"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(of(a) | bits), "l"(of(b))
               : "memory");
  for (const float each : d)
    if (each != 16) atomicAdd(wrong, 1u);
}

// "end", the error, or "no end".
std::string outcome() {
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < std::chrono::seconds(3)) {
    const cudaError_t now = cudaStreamQuery(nullptr);
    if (now == cudaSuccess) return "end";
    if (now != cudaErrorNotReady) return cudaGetErrorString(now);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return "no end";
}

int row(const char* name, void (*kernel)(long long*), int threads) {
  auto* cycles = contest::memory<long long>(kGroups);
  must(cudaMemset(cycles, 0xff, kGroups * sizeof *cycles), "memory");
  cudaFuncAttributes attributes;
  must(cudaFuncGetAttributes(&attributes, kernel), "kernel");
  kernel<<<1, threads>>>(cycles);
  const std::string end = outcome();
  std::printf("%s,%d threads of %d registers,%s", name, threads, attributes.numRegs, end.c_str());
  if (end == "end")
    for (const long long each : on_host(cycles, kGroups)) std::printf(",%lld", each);
  std::puts("");
  std::fflush(stdout);
  std::_Exit(0); // a kernel that does not end is ended with its process
}

int described_row(const char* name, unsigned long long bits) {
  auto* wrong = contest::memory<unsigned>(1);
  must(cudaMemset(wrong, 0, sizeof *wrong), "memory");
  described<<<1, 128>>>(bits, wrong);
  const std::string end = outcome();
  std::printf("%s,bits 0x%llx,%s", name, bits, end.c_str());
  if (end == "end") std::printf(",%u of 512 sums wrong", on_host(wrong, 1)[0]);
  std::puts("");
  std::fflush(stdout);
  std::_Exit(0);
}

template <int each = 0>
void (*kernel_of(int of))(long long*) {
  if constexpr (each == static_cast<int>(Case::count))
    return nullptr;
  else
    return of == each ? registers<static_cast<Case>(each)> : kernel_of<each + 1>(of);
}

const struct {
  const char* name;
  unsigned long long bits;
} kBits[] = {{"descriptor", 0},
             {"descriptor_bit_14", 1ull << 14},
             {"descriptor_bit_15", 1ull << 15},
             {"descriptor_bit_30", 1ull << 30},
             {"descriptor_bit_46", 1ull << 46}};

} // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    for (const char* each : kCase) std::puts(each);
    std::puts("kept_and_waits\nhalf_of_the_multiprocessor\neight_warps");
    for (const auto& each : kBits) std::puts(each.name);
    return 0;
  }
  const char* const name = arguments[1];
  for (int i = 0; i < static_cast<int>(Case::count); ++i)
    if (std::strcmp(kCase[i], name) == 0) return row(name, kernel_of(i), kThreads);
  if (std::strcmp(name, "kept_and_waits") == 0) return row(name, kept_and_waits, kThreads);
  if (std::strcmp(name, "half_of_the_multiprocessor") == 0)
    return row(name, half_of_the_multiprocessor, 256);
  if (std::strcmp(name, "eight_warps") == 0) return row(name, eight_warps, 256);
  for (const auto& each : kBits)
    if (std::strcmp(each.name, name) == 0) return described_row(name, each.bits);
  std::fprintf(stderr, "no such case: %s\n", name);
  return 2;
}
