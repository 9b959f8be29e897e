// Barriers in memory: cycles of an arrival and of a wait, of a wait that fails, and of a phase
// among as many threads beside __syncthreads. And bulk copies that a barrier is told of: how long
// one takes, what asking for one costs, and what comes of sizes and expectations that are off.
//
//   barriers OUT      barriers.csv and copies.csv into the folder OUT
//   barriers off N E  a copy of N bytes for a barrier that expects E; no clock is looked at
//   barriers fences   words that a bulk copy takes out behind stores, with and without their fence
#include "hopper.cuh"

#include <cstring>

namespace {

using namespace hopper;

extern __shared__ __align__(1024) unsigned char memory[];

constexpr int kTimes = 512;

enum class One { arrive_and_wait, arrive, wait_past, test_not_past };
const char* const kOne[] = {"arrive+try_wait", "arrive", "try_wait true", "test_wait false"};

// What is measured is known to the compiler: a choice in the loop would take longer.
template <One what>
__global__ void one_thread(long long* cycles, unsigned* sink) {
  __shared__ unsigned long long barrier;
  const unsigned at = place(&barrier);
  make_barrier(at, what == One::arrive ? (1u << 20) - 1 : 1);
  if (what == One::wait_past) arrive(at);
  unsigned seen = 0;
  for (int again = 0; again < 2; ++again) {
    const long long begin = now();
#pragma unroll 8
    for (int i = 0; i < kTimes; ++i) {
      if (what == One::arrive_and_wait || what == One::arrive) arrive(at);
      if (what == One::arrive_and_wait) wait(at, i & 1);
      if (what == One::wait_past) seen += try_wait(at, 0);
      if (what == One::test_not_past) seen += test_wait(at, 0);
    }
    *cycles = now() - begin;
  }
  *sink = seen;
}

// The phase never ends.
__global__ void failing(bool sleeps, long long* cycles) {
  __shared__ unsigned long long barrier;
  make_barrier(place(&barrier), 1);
  for (int again = 0; again < 2; ++again) {
    const long long begin = now();
    const bool is_past = sleeps ? try_wait(place(&barrier), 0) : test_wait(place(&barrier), 0);
    *cycles = is_past ? -1 : now() - begin;
  }
}

enum class Phase { syncthreads, named, all_arrive, first_lanes_arrive };
const char* const kPhase[] = {"__syncthreads", "barrier.sync 1, n", "all arrive, all wait",
                              "lane 0 of each warp arrives, all wait"};

template <Phase how>
__global__ void phases(long long* cycles) {
  __shared__ unsigned long long barrier;
  const unsigned at = place(&barrier), threads = blockDim.x;
  if (threadIdx.x == 0) make_barrier(at, how == Phase::all_arrive ? threads : threads / 32);
  __syncthreads();
  const long long begin = now();
#pragma unroll 8
  for (int i = 0; i < kTimes; ++i) {
    if (how == Phase::syncthreads) __syncthreads();
    if (how == Phase::named) asm volatile("barrier.sync 1, %0;" ::"r"(threads) : "memory");
    if (how == Phase::first_lanes_arrive) __syncwarp();
    if (how == Phase::all_arrive || (how == Phase::first_lanes_arrive && threadIdx.x % 32 == 0))
      arrive(at);
    if (how == Phase::all_arrive || how == Phase::first_lanes_arrive) wait(at, i & 1);
  }
  __syncthreads();
  if (threadIdx.x == 0) *cycles = now() - begin;
}

double cycles_of(const long long* cycles, int times) {
  must(cudaDeviceSynchronize(), "kernel");
  return static_cast<double>(on_host(cycles, 1)[0]) / times;
}

void print_barriers(FILE* table) {
  auto* cycles = contest::memory<long long>(1);
  auto* sink = contest::memory<unsigned>(1);
  std::fprintf(table, "what,operation,threads,cycles\n");
  const auto print_one = [&](One what, auto* kernel) {
    kernel<<<1, 1>>>(cycles, sink);
    std::fprintf(table, "one thread,%s,1,%.1f\n", kOne[static_cast<int>(what)],
                 cycles_of(cycles, kTimes));
  };
  print_one(One::arrive_and_wait, one_thread<One::arrive_and_wait>);
  print_one(One::arrive, one_thread<One::arrive>);
  print_one(One::wait_past, one_thread<One::wait_past>);
  print_one(One::test_not_past, one_thread<One::test_not_past>);
  for (const bool sleeps : {true, false}) {
    failing<<<1, 1>>>(sleeps, cycles);
    std::fprintf(table, "failed wait,%s,1,%.0f\n", sleeps ? "try_wait" : "test_wait",
                 cycles_of(cycles, 1));
  }
  const auto print_phases = [&](Phase how, auto* kernel) {
    for (const int threads : {32, 64, 128, 256, 512, 1024}) {
      for (int again = 0; again < 2; ++again) kernel<<<1, threads>>>(cycles);
      std::fprintf(table, "one phase,\"%s\",%d,%.1f\n", kPhase[static_cast<int>(how)], threads,
                   cycles_of(cycles, kTimes));
    }
  };
  print_phases(Phase::syncthreads, phases<Phase::syncthreads>);
  print_phases(Phase::named, phases<Phase::named>);
  print_phases(Phase::all_arrive, phases<Phase::all_arrive>);
  print_phases(Phase::first_lanes_arrive, phases<Phase::first_lanes_arrive>);
}

__device__ inline bool is_elected() {
  unsigned elected;
  asm volatile("{.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.u32 %0, 1, 0, p;}"
               : "=r"(elected));
  return elected;
}

// From asking to a wait that succeeds, the whole warp waiting; the least of 20.
__global__ void one_copy(const unsigned char* from, unsigned bytes, long long* cycles) {
  __shared__ unsigned long long barrier;
  const unsigned at = place(&barrier);
  if (threadIdx.x == 0) make_barrier(at, 1);
  __syncthreads();
  long long least = 1 << 30;
  for (int i = 0; i < 20; ++i) {
    const long long begin = now();
    if (is_elected()) {
      arrive_expecting(at, bytes);
      bulk_in(place(memory), from, bytes, at);
    }
    wait(at, i & 1);
    least = min(least, now() - begin);
    __syncwarp();
  }
  if (threadIdx.x == 0) *cycles = least;
}

constexpr int kCopies = 512;

// Many copies for one phase: what asking costs, as long as the copies are small.
template <bool elects>
__global__ void many_copies(const unsigned char* from, unsigned bytes, int copies,
                            long long* cycles) {
  __shared__ unsigned long long barrier;
  const unsigned at = place(&barrier), into = place(memory);
  if (threadIdx.x == 0) make_barrier(at, 1);
  __syncthreads();
  if (!elects && threadIdx.x != 0) return;
  const long long begin = now();
  if (!elects || is_elected()) arrive_expecting(at, bytes * copies);
  unsigned offset = 0;
#pragma unroll 8
  for (int i = 0; i < copies; ++i) {
    if (!elects || is_elected()) bulk_in(into + offset, from + offset, bytes, at);
    offset = (offset + bytes) & 65535;
  }
  wait(at, 0);
  if (threadIdx.x == 0) *cycles = now() - begin;
}

void print_copies(FILE* table) {
  auto* cycles = contest::memory<long long>(1);
  auto* from = contest::memory<unsigned char>(1 << 20);
  must(cudaMemset(from, 1, 1 << 20), "memory");
  std::fprintf(table, "what,copy,bytes_each,cycles,bytes_per_cycle_per_sm\n");
  for (const int bytes : {128, 512, 1024, 2048, 4096, 8192, 16384, 32768}) {
    launch(one_copy, 1, 32, 1, kAlone, from, bytes, cycles);
    std::fprintf(table, "latency,\"bulk, elected lane\",%d,%.0f,\n", bytes, cycles_of(cycles, 1));
  }
  for (const bool elects : {false, true})
    for (const int bytes : {512, 1024, 2048, 4096, 8192, 16384}) {
      const int copies =
          std::min(kCopies, (1'000'000 / bytes) & ~7); // a barrier counts to 2^20 - 1
      for (int again = 0; again < 2; ++again)
        launch(elects ? many_copies<true> : many_copies<false>, 1, 32, 1, kAlone, from, bytes,
               copies, cycles);
      const double each = cycles_of(cycles, copies);
      std::fprintf(table, "issue,\"bulk, %s\",%d,%.1f,%.1f\n",
                   elects ? "elected lane of a converged warp" : "thread 0 in a branch", bytes,
                   each, bytes / each);
    }
}

constexpr unsigned kMark = 0xfffffffe;

// One copy of `bytes` for a barrier that expects `expected`; looks 20 times whether its phase is
// complete, then counts the words that have changed.
__global__ void off(const unsigned char* from, unsigned bytes, unsigned expected,
                    unsigned* result) {
  __shared__ unsigned long long barrier;
  auto* words = reinterpret_cast<unsigned*>(memory);
  for (int i = 0; i < 128; ++i) words[i] = kMark;
  make_barrier(place(&barrier), 1);
  fence_for_copies();
  arrive_expecting(place(&barrier), expected);
  bulk_in(place(memory), from, bytes, place(&barrier));
  bool is_complete = false;
  for (int look = 0; look < 20 && !is_complete; ++look) is_complete = try_wait(place(&barrier), 0);
  result[0] = is_complete;
  result[1] = 0;
  for (int i = 0; i < 128; ++i) result[1] += words[i] != kMark;
}

void print_off(unsigned bytes, unsigned expected) {
  auto* from = contest::memory<unsigned char>(4096);
  auto* result = contest::memory<unsigned>(2);
  must(cudaMemset(from, 1, 4096), "memory");
  off<<<1, 1, 1024>>>(from, bytes, expected, result);
  must(cudaDeviceSynchronize(), "kernel");
  const auto got = on_host(result, 2);
  std::printf("%u,%u,%u,%u\n", bytes, expected, got[0], got[1]);
}

constexpr int kWords = 1024;

// Stores by all threads, a barrier, and a bulk copy out of what they stored: round after round.
__global__ void behind_stores(bool fences, int rounds, unsigned* to, unsigned* wrong) {
  auto* words = reinterpret_cast<unsigned*>(memory);
  unsigned* const mine = to + blockIdx.x * kWords;
  unsigned count = 0;
  for (int round = 1; round <= rounds; ++round) {
    for (unsigned i = threadIdx.x; i < kWords; i += blockDim.x) words[i] = round * kWords + i;
    if (fences) fence_for_copies();
    __syncthreads();
    if (threadIdx.x == 0)
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
                   "cp.async.bulk.commit_group;\n"
                   "cp.async.bulk.wait_group 0;" ::"l"(mine),
                   "r"(place(words)), "r"(4 * kWords)
                   : "memory");
    __syncthreads();
    for (unsigned i = threadIdx.x; i < kWords; i += blockDim.x) {
      unsigned got;
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(got) : "l"(mine + i) : "memory");
      count += got != round * kWords + i;
    }
    __syncthreads();
  }
  if (count) atomicAdd(wrong, count);
}

void print_fences() {
  constexpr int kBlocks = 132, kRounds = 1000;
  auto* to = contest::memory<unsigned>(kBlocks * kWords);
  auto* wrong = contest::memory<unsigned>(1);
  std::puts("reader,fence,threads,results,wrong");
  for (const int threads : {32, 256, 1024})
    for (const bool fences : {true, false}) {
      must(cudaMemset(wrong, 0, sizeof *wrong), "memory");
      behind_stores<<<kBlocks, threads, 4 * kWords>>>(fences, kRounds, to, wrong);
      must(cudaDeviceSynchronize(), "kernel");
      std::printf("bulk copy,%s,%d,%d,%u\n", fences ? "with" : "without", threads,
                  kBlocks * kRounds * kWords, on_host(wrong, 1)[0]);
    }
}

} // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  if (std::strcmp(arguments[1], "off") == 0 && count == 4) {
    print_off(std::strtoul(arguments[2], nullptr, 10), std::strtoul(arguments[3], nullptr, 10));
    return 0;
  }
  if (std::strcmp(arguments[1], "fences") == 0) {
    print_fences();
    return 0;
  }
  const std::string folder = arguments[1];
  FILE* barriers = std::fopen((folder + "/barriers.csv").c_str(), "w");
  FILE* copies = std::fopen((folder + "/copies.csv").c_str(), "w");
  if (!barriers || !copies) return 1;
  print_barriers(barriers);
  print_copies(copies);
  std::fclose(barriers);
  std::fclose(copies);
}
