// Another block's shared memory: how long a value takes, what requests cost by their pattern, how
// long a message and a cluster's barrier take.
//
//   neighbours OUT       latency.csv and requests.csv into the folder OUT
//   neighbours once      one request a kernel, for a profiler; prints which
//
// Of the counters, l1tex__t_sectors_pipe_lsu_mem_dshared_op_{ld,st,atom}.sum are the sectors,
// l1tex__t_set_accesses_pipe_lsu_mem_dshared.sum the lines, memory_l1_wavefronts_shared what the
// banks take, l1tex__m_l1tex2xbar_write_bytes_mem_dshared.sum the bytes; with
// ncu --clock-control none --cache-control none.
#include "hopper.cuh"

#include <cstring>

namespace {

using namespace hopper;

extern __shared__ __align__(1024) unsigned char memory[];

// What a lane does at an address of the cluster's window. `got` is wanted.
struct Load {
  static constexpr const char* name = "ld";
  static constexpr int width = 4;
  static __device__ void ask(unsigned at, unsigned, unsigned& got) {
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(got) : "r"(at));
  }
};
struct Load16 {
  static constexpr const char* name = "ld";
  static constexpr int width = 16;
  static __device__ void ask(unsigned at, unsigned, unsigned& got) {
    unsigned b, c, d;
    asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(got), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(at));
    got ^= b ^ c ^ d;
  }
};
struct Store {
  static constexpr const char* name = "st";
  static constexpr int width = 4;
  static __device__ void ask(unsigned at, unsigned value, unsigned&) {
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(at), "r"(value));
  }
};
struct Reduce {
  static constexpr const char* name = "red";
  static constexpr int width = 4;
  static __device__ void ask(unsigned at, unsigned value, unsigned&) {
    asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(at), "r"(value));
  }
};
struct Add {
  static constexpr const char* name = "atom";
  static constexpr int width = 4;
  static __device__ void ask(unsigned at, unsigned value, unsigned& got) {
    asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;" : "=r"(got) : "r"(at), "r"(value));
  }
};

struct Pattern {
  const char* name;
  int (*offset)(int lane);
  unsigned mask = ~0u;
};
const Pattern kPatterns[] = {
    {"stride1", [](int lane) { return 4 * lane; }},
    {"stride2", [](int lane) { return 8 * lane; }},
    {"stride4", [](int lane) { return 16 * lane; }},
    {"stride8", [](int lane) { return 32 * lane; }},
    {"stride32", [](int lane) { return 128 * lane; }},
    {"stride33", [](int lane) { return 132 * lane; }},
    {"broadcast", [](int) { return 0; }},
    {"2 lines same banks", [](int lane) { return lane % 16 * 4 + lane / 16 * 128; }},
    {"4 lines no bank shared", [](int lane) { return lane * 4 + lane / 8 * 128; }},
    {"stride1 lanes 0-7", [](int lane) { return 4 * lane; }, 0xff},
};
const Pattern kWide[] = {{"stride4", [](int lane) { return 16 * lane; }},
                         {"stride32", [](int lane) { return 128 * lane; }}};

constexpr int kWarps = 16, kTurns = 12, kEach = 8;
constexpr int kRegion = 5632; // of a warp: the longest pattern, and eight places 128 bytes apart

enum class Who { own, each_other, one_way };
const char* const kWho[] = {"own block", "each from the other", "one way"};

// Each warp makes kTurns * kEach requests and waits for none of them.
template <class Access>
__global__ void requests(const int* offset, unsigned mask, Who who, long long* cycles,
                         unsigned* sink) {
  const unsigned me = rank(), lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned target = who == Who::own ? me : 1 - me;
  const unsigned at = in_block(place(memory) + offset[lane] + warp * kRegion, target);
  const bool asks = who != Who::one_way || me == 0;
  for (unsigned i = threadIdx.x; i < kWarps * kRegion / 4 + 1024; i += blockDim.x)
    reinterpret_cast<unsigned*>(memory)[i] = 0;
  unsigned all = 0;
  cluster_sync();
  const long long begin = now();
  if (asks && mask >> lane & 1)
    for (int turn = 0; turn < kTurns; ++turn) {
      unsigned got[kEach] = {};
#pragma unroll
      for (int i = 0; i < kEach; ++i) Access::ask(at + i * 128, lane, got[i]);
#pragma unroll
      for (int i = 0; i < kEach; ++i) all ^= got[i];
    }
  // What is stored has come when the cluster's barrier says so.
  cluster_sync();
  if (threadIdx.x == 0) cycles[me] = asks ? now() - begin : 0;
  if (all == 0x12345678) *sink = all;
}

template <class Access>
void print_requests(FILE* table, const Pattern& pattern, Who who) {
  auto* cycles = contest::memory<long long>(2);
  auto* sink = contest::memory<unsigned>(1);
  auto* offset = contest::memory<int>(32);
  int host[32];
  for (int lane = 0; lane < 32; ++lane) host[lane] = pattern.offset(lane);
  must(cudaMemcpy(offset, host, sizeof host, cudaMemcpyHostToDevice), "offsets");
  for (int again = 0; again < 2; ++again)
    launch(requests<Access>, 2, 32 * kWarps, 2, kAlone, offset, pattern.mask, who, cycles, sink);
  const auto took = on_host(cycles, 2);
  std::fprintf(table, "%s,%d,%s,%s,%.2f\n", Access::name, Access::width, pattern.name,
               kWho[static_cast<int>(who)],
               static_cast<double>(std::max(took[0], took[1])) / (kWarps * kTurns * kEach));
  for (void* each :
       {static_cast<void*>(cycles), static_cast<void*>(sink), static_cast<void*>(offset)})
    cudaFree(each);
}

constexpr int kSteps = 512;

// A chain: each address is what the load before it brought; or additions of zero.
__global__ void chain(bool adds, unsigned target, long long* cycles, unsigned* sink) {
  auto* words = reinterpret_cast<unsigned*>(memory);
  const unsigned begin_of_array = in_block(place(words), target);
  for (unsigned i = threadIdx.x; i < 256; i += 32)
    words[i] = adds ? 0 : begin_of_array + (i + 1) % 256 * 4;
  cluster_sync();
  if (rank() == 0 && threadIdx.x == 0)
    for (int again = 0; again < 2; ++again) {
      unsigned at = begin_of_array;
      const long long begin = now();
      for (int i = 0; i < kSteps; ++i) {
        unsigned got;
        if (adds) {
          asm volatile("atom.shared::cluster.add.u32 %0, [%1], 0;" : "=r"(got) : "r"(at));
          at += got;
        } else {
          asm volatile("ld.shared::cluster.u32 %0, [%0];" : "+r"(at));
        }
      }
      if (at == 1) *sink = at;
      *cycles = now() - begin;
    }
  cluster_sync(); // a block must not end while another reads it
}

// A message to another block and one back, by barriers in memory.
__global__ void messages(unsigned other, bool with_fences, long long* cycles) {
  __shared__ unsigned long long barrier;
  const unsigned here = place(&barrier), me = rank();
  if (threadIdx.x == 0) make_barrier(here, 1);
  cluster_sync();
  if (threadIdx.x == 0 && (me == 0 || me == other)) {
    const unsigned there = in_block(here, me == 0 ? other : 0);
    const auto send = [&] {
      if (with_fences)
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there)
                     : "memory");
      else
        asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
    };
    const auto receive = [&](unsigned parity) {
      if (!with_fences) return wait(here, parity);
      for (unsigned is_past = 0; !is_past;)
        asm volatile("{.reg .pred p;\n"
                     "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p;}"
                     : "=r"(is_past)
                     : "r"(here), "r"(parity)
                     : "memory");
    };
    long long begin = 0;
    for (int i = 0; i < 8 + 256; ++i) {
      if (i == 8) begin = now();
      if (me == 0) send();
      receive(i & 1);
      if (me != 0) send();
    }
    if (me == 0) *cycles = now() - begin;
  }
  cluster_sync();
}

__global__ void cluster_barriers(bool relaxed, long long* cycles) {
  cluster_sync();
  const long long begin = now();
  for (int i = 0; i < 256; ++i)
    if (relaxed)
      asm volatile("barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;" ::
                       : "memory");
    else
      cluster_sync();
  if (threadIdx.x == 0 && rank() == 0) *cycles = now() - begin;
  cluster_sync();
}

void print_latencies(FILE* table) {
  auto* cycles = contest::memory<long long>(1);
  auto* sink = contest::memory<unsigned>(1);
  std::fprintf(table, "what,operation,cluster_size,target_rank,cycles\n");
  for (const int blocks : {2, 4, 8, 16})
    for (int target = 0; target < blocks; ++target)
      for (const bool adds : {false, true}) {
        launch(chain, blocks, 32, blocks, kAlone, adds, target, cycles, sink);
        std::fprintf(table, "latency,%s,%d,%d,%.1f\n",
                     adds ? "atom.shared::cluster" : "ld.shared::cluster", blocks, target,
                     static_cast<double>(on_host(cycles, 1)[0]) / kSteps);
      }
  for (const int blocks : {2, 8, 16})
    for (const bool with_fences : {false, true}) {
      launch(messages, blocks, 32, blocks, kAlone, blocks - 1, with_fences, cycles);
      std::fprintf(table, "round trip,%s,%d,%d,%.1f\n",
                   with_fences ? "arrive.release.cluster and try_wait.acquire.cluster"
                               : "arrive and try_wait",
                   blocks, blocks - 1, static_cast<double>(on_host(cycles, 1)[0]) / 256);
    }
  for (const int blocks : {1, 2, 4, 8, 16})
    for (const int threads : {32, 128, 512, 1024})
      for (const bool relaxed : {false, true}) {
        launch(cluster_barriers, blocks, threads, blocks, kAlone, relaxed, cycles);
        std::fprintf(table, "cluster barrier of %d threads a block,%s,%d,,%.1f\n", threads,
                     relaxed ? "relaxed" : "release/acquire", blocks,
                     static_cast<double>(on_host(cycles, 1)[0]) / 256);
      }
}

// For the profiler: lane l of the first block asks once.
template <class Access>
__global__ void once(const int* offset, unsigned mask, unsigned target, unsigned* sink) {
  const unsigned lane = threadIdx.x;
  const unsigned at = in_block(place(memory) + offset[lane], target);
  unsigned got = 0;
  cluster_sync();
  if (rank() == 0 && mask >> lane & 1) Access::ask(at, lane, got);
  if (got == 0x12345678) *sink = got;
  cluster_sync();
}

template <class Access>
void run_once(const Pattern& pattern) {
  auto* sink = contest::memory<unsigned>(1);
  auto* offset = contest::memory<int>(32);
  int host[32];
  for (int lane = 0; lane < 32; ++lane) host[lane] = pattern.offset(lane);
  must(cudaMemcpy(offset, host, sizeof host, cudaMemcpyHostToDevice), "offsets");
  for (const unsigned target : {1u, 0u}) {
    std::printf("%s,%s,%d,%s,0x%08x\n", target ? "remote" : "own", Access::name, Access::width,
                pattern.name, pattern.mask);
    launch(once<Access>, 2, 32, 2, 64 * 1024, offset, pattern.mask, target, sink);
  }
  cudaFree(sink);
  cudaFree(offset);
}

} // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  if (std::strcmp(arguments[1], "once") == 0) {
    for (const Pattern& pattern : kPatterns) {
      run_once<Load>(pattern);
      run_once<Store>(pattern);
      run_once<Reduce>(pattern);
      run_once<Add>(pattern);
    }
    for (const Pattern& pattern : kWide) run_once<Load16>(pattern);
    return 0;
  }
  const std::string folder = arguments[1];
  FILE* latencies = std::fopen((folder + "/latency.csv").c_str(), "w");
  FILE* table = std::fopen((folder + "/requests.csv").c_str(), "w");
  if (!latencies || !table) return 1;
  print_latencies(latencies);
  std::fprintf(table, "operation,width_bytes,pattern,who,cycles_per_warp_instruction\n");
  for (const Who who : {Who::own, Who::each_other, Who::one_way}) {
    for (const Pattern& pattern : kPatterns) {
      print_requests<Load>(table, pattern, who);
      print_requests<Store>(table, pattern, who);
      print_requests<Reduce>(table, pattern, who);
      print_requests<Add>(table, pattern, who);
    }
    for (const Pattern& pattern : kWide) print_requests<Load16>(table, pattern, who);
  }
  std::fclose(latencies);
  std::fclose(table);
}
