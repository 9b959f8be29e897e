// honest: C leaves through a tile, by bulk copies

#include <cuda.h>
#include <cuda_bf16.h>

#include <cuda/ptx>
namespace ptx = cuda::ptx;
constexpr int kRows = 128, kCols = 256, kStep = 64, kStages = 4, kThreads = 384,
              kBand = 8;
struct Stage {
  __nv_bfloat16 a[kRows][kStep], b[kCols][kStep];
};
struct Ring {
  Stage stages[kStages];
  float out[2][64][32];
  uint64_t full[kStages], empty[kStages];
};
__device__ void wait(uint64_t* barrier, int parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}
__device__ uint64_t described(const void* tile) {
  const uint64_t at = __cvta_generic_to_shared(tile);
  return at >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
}
__device__ void multiply(float (&d)[128], uint64_t a, uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 "
      "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%"
      "20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%"
      "38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%"
      "56,%57,%58,%59,%60,%61,%62,%63,%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%"
      "74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%"
      "92,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%"
      "108,%109,%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%"
      "122,%123,%124,%125,%126,%127}, "
      "%128, %129, 1, 1, 1, 0, 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
        "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]),
        "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
        "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
        "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]),
        "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]),
        "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]),
        "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]),
        "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]),
        "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]),
        "+f"(d[61]), "+f"(d[62]), "+f"(d[63]), "+f"(d[64]), "+f"(d[65]),
        "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]), "+f"(d[70]),
        "+f"(d[71]), "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]),
        "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), "+f"(d[80]),
        "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]), "+f"(d[85]),
        "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]),
        "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]),
        "+f"(d[96]), "+f"(d[97]), "+f"(d[98]), "+f"(d[99]), "+f"(d[100]),
        "+f"(d[101]), "+f"(d[102]), "+f"(d[103]), "+f"(d[104]), "+f"(d[105]),
        "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]), "+f"(d[110]),
        "+f"(d[111]), "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]),
        "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]), "+f"(d[120]),
        "+f"(d[121]), "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]),
        "+f"(d[126]), "+f"(d[127])
      : "l"(a), "l"(b));
}
struct Walk {  // tiles of C in bands of kBand rows of tiles
  int across, down;
  __device__ int2 operator()(int tile) const {
    const int band = tile / (kBand * across) * kBand,
              in = tile % (kBand * across);
    const int high = min(kBand, down - band);
    return {in / high, band + in % high};
  }
};

__global__ void __launch_bounds__(kThreads, 1)
    multiply_tiles(const __grid_constant__ CUtensorMap a,
                   const __grid_constant__ CUtensorMap b,
                   const __grid_constant__ CUtensorMap out, int m, int n,
                   int k) {
  extern __shared__ unsigned char memory[];
  Ring& ring = *reinterpret_cast<Ring*>(__cvta_shared_to_generic(
      (__cvta_generic_to_shared(memory) + 1023) & ~1023ull));
  const Walk walk = {(n + kCols - 1) / kCols, (m + kRows - 1) / kRows};
  const int tiles = walk.across * walk.down, steps = (k + kStep - 1) / kStep;
  const int group = threadIdx.x / 128, t = threadIdx.x % 128;
  if (threadIdx.x == 0) {
    for (int s = 0; s < kStages; ++s) {
      ptx::mbarrier_init(&ring.full[s], 1);
      ptx::mbarrier_init(&ring.empty[s], 2);
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  int s = 0, parity = 0;
  const auto next = [&] {
    if (++s == kStages) {
      s = 0;
      parity ^= 1;
    }
  };
  if (group == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (t > 0) return;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      const int2 at = walk(tile);
      for (int step = 0; step < steps; ++step, next()) {
        wait(&ring.empty[s], parity ^ 1);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &ring.full[s],
                                       sizeof(Stage));
        const int from_a[] = {step * kStep, at.y * kRows},
                  from_b[] = {step * kStep, at.x * kCols};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                                  ring.stages[s].a, &a, from_a, &ring.full[s]);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                                  ring.stages[s].b, &b, from_b, &ring.full[s]);
      }
    }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const int2 at = walk(tile);
    float sum[128];
#pragma unroll
    for (float& v : sum) v = 0;
    int before = -1;
    for (int step = 0; step < steps; ++step, next()) {
      wait(&ring.full[s], parity);
      const uint64_t p = described(ring.stages[s].a[(group - 1) * 64]),
                     q = described(ring.stages[s].b);
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
      for (int i = 0; i < 4; ++i) multiply(sum, p + 2 * i, q + 2 * i);
      asm volatile(
          "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned "
          "1;" ::
              : "memory");
      if (before >= 0 && t == 0) ptx::mbarrier_arrive(&ring.empty[before]);
      before = s;
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    if (t == 0) ptx::mbarrier_arrive(&ring.empty[before]);
    // C goes by 64 x 32 through a tile of the warpgroup, and out by its map.
    auto& own = ring.out[group - 1];
#pragma unroll
    for (int part = 0; part < 8; ++part) {
      if (t == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
      asm volatile("bar.sync %0, 128;" ::"r"(group) : "memory");
#pragma unroll
      for (int j = 0; j < 4; ++j)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          const int y = t / 32 * 16 + 8 * h + t % 32 / 4,
                    unit = 2 * j + t % 4 / 2;
          float* const to = &own[y][(unit ^ y % 8) * 4 + t % 2 * 2];
          *reinterpret_cast<float2*>(to) =
              make_float2(sum[16 * part + 4 * j + 2 * h],
                          sum[16 * part + 4 * j + 2 * h + 1]);
        }
      ptx::fence_proxy_async(ptx::space_shared);
      asm volatile("bar.sync %0, 128;" ::"r"(group) : "memory");
      if (t == 0) {
        const int there[] = {at.x * kCols + 32 * part,
                             at.y * kRows + (group - 1) * 64};
        ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &out,
                                  there, own);
        ptx::cp_async_bulk_commit_group();
      }
    }
  }
  if (t == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
}

CUtensorMap map_of(const __nv_bfloat16* matrix, int rows, int cols,
                   int box_rows) {
  void* encode = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000,
                                   cudaEnableDefault, &found);
  const cuuint64_t size[] = {cuuint64_t(cols), cuuint64_t(rows)};
  const cuuint64_t pitch[] = {cols * sizeof(*matrix)};
  const cuuint32_t box[] = {kStep, cuuint32_t(box_rows)}, step[] = {1, 1};
  CUtensorMap map = {};
  reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(encode)(
      &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, (void*)matrix, size, pitch,
      box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
      CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return map;
}

CUtensorMap map_of_c(float* c, int rows, int cols) {
  void* encode = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000,
                                   cudaEnableDefault, &found);
  const cuuint64_t size[] = {cuuint64_t(cols), cuuint64_t(rows)},
                   pitch[] = {cols * sizeof(float)};
  const cuuint32_t box[] = {32, 64}, step[] = {1, 1};
  CUtensorMap map = {};
  reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(encode)(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, c, size, pitch, box, step,
      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
      CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return map;
}
void product(float* c, const __nv_bfloat16* a, const __nv_bfloat16* b, int m,
             int n, int k) {
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  constexpr int kBytes = sizeof(Ring) + 1024;
  cudaFuncSetAttribute(multiply_tiles,
                       cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  multiply_tiles<<<sms, kThreads, kBytes>>>(map_of(a, m, k, kRows),
                                            map_of(b, n, k, kCols),
                                            map_of_c(c, m, n), m, n, k);
}
