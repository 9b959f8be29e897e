// 11_async_memory/6_ladder: the whole ladder
//
// C = A B^T for any `m`, and `n` and `k` that are multiples of 8, none 0, as
// fast as cuBLAS. Put everything together: a ring of four stages that
// tensor maps fill, three of which are full at a time; a warp that asks for
// copies and two warpgroups that multiply, 64 x 256 of C each, by wgmma with
// 256 rows of B; and as many blocks as there are multiprocessors, each of which
// goes on to its next tile of C when it is done.
//
// The page is blank, but take what you need from exercises 1, 3 and 5.
//
//   ./course grade 11_async_memory/6_ladder    what is right, what is not
//   ./course hint  11_async_memory/6_ladder    one nudge more each time
#include <cuda.h>
#include <cuda_bf16.h>

#include <cuda/ptx>

// Your work begins here.
namespace ptx = cuda::ptx;

constexpr int kRows = 128, kCols = 256, kStep = 64, kStages = 4;
constexpr int kThreads = 3 * 128;  // a warpgroup that asks, two that multiply
constexpr int kBand = 8;           // rows of tiles that are worked on together

struct Stage {
  __nv_bfloat16 a[kRows][kStep], b[kCols][kStep];
};
struct Ring {
  Stage stages[kStages];
  uint64_t full[kStages], empty[kStages];
};

__device__ void wait(uint64_t* barrier, int parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}
__device__ void load(void* to, const CUtensorMap* map, int x, int y,
                     uint64_t* full) {
  const int at[] = {x, y};
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to, map, at,
                            full);
}
__device__ uint64_t described(const void* tile) {
  const uint64_t address = __cvta_generic_to_shared(tile);
  return address / 16 | 1ull << 16 | 1024ull / 16 << 32 | 1ull << 62;
}
#define FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SIXTEEN(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)
__device__ void multiply(float* d, uint64_t a, uint64_t b) {
  asm volatile(
      "{.reg .pred p; setp.eq.u32 p, 1, 1;\n"
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,"
      "%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,"
      "%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,"
      "%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,%64,%65,%66,%67,%68,%69,%70,"
      "%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,"
      "%88,%89,%90,%91,%92,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,"
      "%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,%117,"
      "%118,%119,%120,%121,%122,%123,%124,%125,%126,%127"
      "}, %128, %129, p, 1, 1, 0, 0;}"
      : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48), SIXTEEN(64),
        SIXTEEN(80), SIXTEEN(96), SIXTEEN(112)
      : "l"(a), "l"(b));
}

// The corner of a tile of C: down a band of rows, then to the next columns.
__device__ int2 corner(int tile, int down, int across) {
  const int first = tile / (kBand * across) * kBand;
  const int high = min(kBand, down - first), in = tile % (kBand * across);
  return {in / high * kCols, (first + in % high) * kRows};
}

__global__ void __launch_bounds__(kThreads, 1)
    multiply_tiles(const __grid_constant__ CUtensorMap a,
                   const __grid_constant__ CUtensorMap b, float* c, int m,
                   int n, int k) {
  extern __shared__ __align__(1024) Ring ring[];
  auto& [stages, full, empty] = *ring;
  const int across = (n + kCols - 1) / kCols, down = (m + kRows - 1) / kRows;
  const int steps = (k + kStep - 1) / kStep, t = threadIdx.x;
  if (t == 0) {
    for (int s = 0; s < kStages; ++s) {
      ptx::mbarrier_init(&full[s], 1);
      ptx::mbarrier_init(&empty[s], 2);
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  int s = 0, parity = 0;
  const auto next = [&] {
    s = (s + 1) % kStages;
    parity ^= s == 0;
  };
  if (t < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (t > 0) return;
    for (int tile = blockIdx.x; tile < across * down; tile += gridDim.x) {
      const auto [x, y] = corner(tile, down, across);
      for (int step = 0; step < steps; ++step, next()) {
        wait(&empty[s], parity ^ 1);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &full[s],
                                       sizeof(Stage));
        load(stages[s].a, &a, step * kStep, y, &full[s]);
        load(stages[s].b, &b, step * kStep, x, &full[s]);
      }
    }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  const int group = t / 128 - 1;
  for (int tile = blockIdx.x; tile < across * down; tile += gridDim.x) {
    const auto [x, y] = corner(tile, down, across);
    float sum[kCols / 2] = {};
    for (int step = 0; step < steps; ++step, next()) {
      wait(&full[s], parity);
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
      for (int i = 0; i < kStep; i += 16)
        multiply(sum, described(&stages[s].a[64 * group][i]),
                 described(&stages[s].b[0][i]));
      asm volatile(
          "wgmma.commit_group.sync.aligned;\n"
          "wgmma.wait_group.sync.aligned 1;" ::
              : "memory");
      if (step > 0 && t % 128 == 0)  // the step before has been read
        ptx::mbarrier_arrive(&empty[(s + kStages - 1) % kStages]);
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    if (t % 128 == 0) ptx::mbarrier_arrive(&empty[(s + kStages - 1) % kStages]);
    const int row = y + 64 * group + t % 128 / 32 * 16 + t % 32 / 4;
    const int col = x + t % 4 * 2;
    for (int i = 0; i < kCols / 2; i += 2) {
      const int r = row + i / 2 % 2 * 8, q = col + i / 4 * 8;
      if (r < m && q < n)
        *(float2*)(c + size_t(r) * n + q) = make_float2(sum[i], sum[i + 1]);
    }
  }
}

CUtensorMap map_of(const __nv_bfloat16* matrix, int rows, int cols, int high) {
  void* encode = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000,
                                   cudaEnableDefault, &found);
  const cuuint64_t size[] = {cuuint64_t(cols), cuuint64_t(rows)};
  const cuuint64_t pitch[] = {cols * sizeof(*matrix)};  // bytes
  const cuuint32_t box[] = {kStep, cuuint32_t(high)}, step[] = {1, 1};
  CUtensorMap map = {};
  ((decltype(&cuTensorMapEncodeTiled))encode)(
      &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, (void*)matrix, size, pitch,
      box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
      CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return map;
}

void product(float* c, const __nv_bfloat16* a, const __nv_bfloat16* b, int m,
             int n, int k) {
  int blocks = 0;
  cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0);
  cudaFuncSetAttribute(multiply_tiles,
                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                       sizeof(Ring));
  const int tiles = (m + kRows - 1) / kRows * ((n + kCols - 1) / kCols);
  multiply_tiles<<<min(blocks, tiles), kThreads, sizeof(Ring)>>>(
      map_of(a, m, k, kRows), map_of(b, n, k, kCols), c, m, n, k);
}
// Your work ends here.
