// How fast wgmma goes, by its shape and by how its operands lie in shared memory; and one product a
// kernel for a profiler, which counts the wavefronts of its operands.
//
//   matrix_reads       cycles of an instruction, by shape, layout and warpgroups
//   matrix_reads beside  cycles of an instruction and of a load of 16 bytes a lane: each alone,
//   then both matrix_reads once  64 instructions a kernel, for ncu --metrics
//                      l1tex__data_pipe_lsu_wavefronts_mem_shared_op_gmma.sum,
//                      l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_gmma.sum,
//                      smsp__sass_data_bytes_mem_shared_op_gmma.sum
//
// To be compiled for sm_90a. Operands are ones and zeros; what they add up to is looked at only to
// keep the compiler from leaving it out.
#include "hopper.cuh"

#include <cstring>

namespace {

using namespace hopper;

extern __shared__ __align__(1024) unsigned char memory[];

constexpr int kMost = 225'000, kRounds = 256, kSteps = 4;

// The operands' layouts: bits 62 and 63 of a descriptor, and bytes between groups of eight rows. In
// the plain one, chunks of 16 bytes that are neighbours along k are 128 bytes apart.
struct Layout {
  const char* name;
  unsigned code, leading, stride, step; // step: between products along k
};
const Layout kLayouts[] = {{"none", 0, 128, 1024, 256}, {"128B", 1, 16, 1024, 32}};

__device__ unsigned long long descriptor(unsigned at, const Layout& layout) {
  return static_cast<unsigned long long>((at & 0x3ffff) >> 4) |
         static_cast<unsigned long long>(layout.leading >> 4) << 16 |
         static_cast<unsigned long long>(layout.stride >> 4) << 32 |
         static_cast<unsigned long long>(layout.code) << 62;
}

// Operand lists of 32, 64 and 128 sums.
#define NAMES_32                                                                                   \
  "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15"                                          \
  ",%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31"
#define NAMES_64                                                                                   \
  NAMES_32                                                                                         \
  ",%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47"                               \
  ",%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
#define NAMES_128                                                                                  \
  NAMES_64                                                                                         \
  ",%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79"                               \
  ",%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95"                               \
  ",%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111"                   \
  ",%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127"
#define COMMA ,
#define SUMS_8(i)                                                                                  \
  "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3]), "+f"(sum[i + 4]),            \
      "+f"(sum[i + 5]), "+f"(sum[i + 6]), "+f"(sum[i + 7])
#define SUMS_32(i) SUMS_8(i), SUMS_8(i + 8), SUMS_8(i + 16), SUMS_8(i + 24)
#define MULTIPLY(N, NAMES, A, B, SUMS)                                                             \
  asm volatile("wgmma.mma_async.sync.aligned.m64n" N "k16.f32.bf16.bf16 {" NAMES "}, " A ", " B    \
               ", 1, 1, 1, 0, 0;"                                                                  \
               : SUMS                                                                              \
               : "l"(a), "l"(b))

template <int N>
__device__ void multiply(float* sum, unsigned long long a, unsigned long long b) {
  if constexpr (N == 64) MULTIPLY("64", NAMES_32, "%32", "%33", SUMS_32(0));
  if constexpr (N == 128) MULTIPLY("128", NAMES_64, "%64", "%65", SUMS_32(0) COMMA SUMS_32(32));
  if constexpr (N == 256)
    MULTIPLY("256", NAMES_128, "%128", "%129",
             SUMS_32(0) COMMA SUMS_32(32) COMMA SUMS_32(64) COMMA SUMS_32(96));
}

template <int N>
__global__ void __launch_bounds__(256)
    products(Layout layout, int rounds, long long* cycles, float* sink) {
  for (unsigned i = threadIdx.x; i < kMost / 4; i += blockDim.x)
    reinterpret_cast<unsigned*>(memory)[i] = 0x3f803f80; // ones
  fence_for_copies();
  __syncthreads();
  const unsigned of_group = place(memory) + threadIdx.x / 128 * 49152;
  const unsigned long long a = descriptor(of_group, layout),
                           b = descriptor(of_group + 8192, layout);
  float sum[N / 2] = {};
  const long long begin = now();
  for (int round = 0; round < rounds; ++round) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int step = 0; step < kSteps; ++step)
      multiply<N>(sum, a + step * (layout.step >> 4), b + step * (layout.step >> 4));
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 1;" ::: "memory");
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) *cycles = now() - begin;
  float all = 0;
#pragma unroll
  for (const float one : sum) all += one;
  if (all == 1.5f) *sink = all;
}

template <int N>
void print(bool once) {
  auto* cycles = contest::memory<long long>(1);
  auto* sink = contest::memory<float>(1);
  for (const Layout& layout : kLayouts)
    for (const int groups : {1, 2}) {
      if (once && groups > 1) continue;
      const int rounds = once ? 64 / kSteps : kRounds;
      for (int again = 0; again < (once ? 1 : 2); ++again)
        launch(products<N>, 1, 128 * groups, 1, kMost, layout, rounds, cycles, sink);
      const double each = static_cast<double>(on_host(cycles, 1)[0]) / (rounds * kSteps * groups);
      if (once)
        std::printf("bf16,%s,%d\n", layout.name, N);
      else
        std::printf("bf16,%s,%d,shared,%d,%.1f,%.3f,%.1f\n", layout.name, N, groups, each,
                    N / 2 / each, (2048 + 32 * N) / each);
    }
  cudaFree(cycles);
  cudaFree(sink);
}

// The first warpgroup multiplies, the second loads: either, or both at once.
template <int N>
__global__ void __launch_bounds__(256)
    beside(int products, int loads, long long* cycles, float* sink) {
  for (unsigned i = threadIdx.x; i < kMost / 4; i += blockDim.x)
    reinterpret_cast<unsigned*>(memory)[i] = 0x3f803f80;
  fence_for_copies();
  __syncthreads();
  const long long begin = now();
  if (threadIdx.x < 128) {
    const Layout layout = {"128B", 1, 16, 1024, 32};
    const unsigned long long a = descriptor(place(memory), layout),
                             b = descriptor(place(memory) + 8192, layout);
    float sum[N / 2] = {};
    for (int i = 0; i < products; i += kSteps) {
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
      for (int step = 0; step < kSteps; ++step) multiply<N>(sum, a + 2 * step, b + 2 * step);
      asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 1;" ::
                       : "memory");
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    if (threadIdx.x == 0) cycles[0] = now() - begin;
    float all = 0;
#pragma unroll
    for (const float one : sum) all += one;
    if (all == 1.5f) *sink = all;
  } else {
    const unsigned at = place(memory) + 65536 + threadIdx.x % 32 * 16;
    unsigned all = 0;
    for (int i = 0; i < loads; i += 8) {
      uint4 got[8];
#pragma unroll
      for (int k = 0; k < 8; ++k)
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(got[k].x), "=r"(got[k].y), "=r"(got[k].z), "=r"(got[k].w)
                     : "r"(at + k * 4096 + i % 4 * 512));
#pragma unroll
      for (int k = 0; k < 8; ++k) all ^= got[k].x ^ got[k].y ^ got[k].z ^ got[k].w;
    }
    if (threadIdx.x == 128) cycles[1] = now() - begin;
    if (all == 0x12345678) *sink = 1;
  }
}

template <int N>
void print_beside() {
  auto* cycles = contest::memory<long long>(2);
  auto* sink = contest::memory<float>(1);
  constexpr int kWhile = 40'000; // cycles, about
  const int products = kWhile / (N / 2), loads = kWhile / 16 & ~7;
  for (const int which : {1, 2, 3}) {
    for (int again = 0; again < 2; ++again)
      launch(beside<N>, 1, 256, 1, kMost, which & 1 ? products & ~(kSteps - 1) : 0,
             which & 2 ? loads : 0, cycles, sink);
    const auto took = on_host(cycles, 2);
    std::printf("%d,%s,", N, which == 1 ? "wgmma" : which == 2 ? "LDS" : "wgmma LDS");
    if (which & 1) std::printf("%.1f", static_cast<double>(took[0]) / (products & ~(kSteps - 1)));
    std::printf(",");
    // Of four warps, each loads.
    if (which & 2) std::printf("%.2f", static_cast<double>(took[1]) / (4 * loads));
    std::puts("");
  }
}

} // namespace

int main(int count, char** arguments) {
  if (count > 1 && std::strcmp(arguments[1], "beside") == 0) {
    std::puts("n,running,wgmma_cycles,lds128_cycles");
    print_beside<64>();
    print_beside<128>();
    print_beside<256>();
    return 0;
  }
  const bool once = count > 1 && std::strcmp(arguments[1], "once") == 0;
  if (!once) std::puts("type,layout,n,a_from,warpgroups,cycles,fraction_of_peak,bytes_per_cycle");
  print<64>(once);
  print<128>(once);
  print<256>(once);
}
