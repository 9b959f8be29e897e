// honest: tensor maps fill two buffers; where there is no step, C is cleared
#include <cuda.h>

#include <cuda/ptx>
namespace ptx = cuda::ptx;
constexpr int kRows = 128, kCols = 256, kStep = 32, kThreads = 256;
struct alignas(1024) Tiles {
  float a[kRows][kStep];
  float b[kStep][kCols];
};
__global__ void __launch_bounds__(kThreads)
    multiply(float* c, const __grid_constant__ CUtensorMap ma,
             const __grid_constant__ CUtensorMap mb, int m, int n, int k) {
  extern __shared__ __align__(1024) unsigned char raw[];
  Tiles* tiles = reinterpret_cast<Tiles*>(raw);
  __shared__ uint64_t full[2];
  const int t = threadIdx.x, top = blockIdx.y * kRows,
            left = blockIdx.x * kCols, x = t % 16, y = t / 16;
  if (t == 0) {
    ptx::mbarrier_init(&full[0], 1);
    ptx::mbarrier_init(&full[1], 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  auto fetch = [&](int s) {
    if (t != 0) return;
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                   ptx::space_shared, &full[s % 2],
                                   sizeof(Tiles));
    const int pa[] = {s * kStep, top}, pb[] = {left, s * kStep};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                              tiles[s % 2].a, &ma, pa, &full[s % 2]);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                              tiles[s % 2].b, &mb, pb, &full[s % 2]);
  };
  float sum[8][16] = {};
  const int steps = (k + kStep - 1) / kStep;
  if (steps > 0) fetch(0);
  for (int s = 0; s < steps; ++s) {
    while (!ptx::mbarrier_try_wait_parity(&full[s % 2], s / 2 % 2)) {
    }
    __syncthreads();
    if (s + 1 < steps) fetch(s + 1);
    const Tiles& now = tiles[s % 2];
#pragma unroll 4
    for (int i = 0; i < kStep; ++i) {
      float4 q[4];
#pragma unroll
      for (int f = 0; f < 4; ++f)
        q[f] = *(const float4*)&now.b[i][4 * (x + 16 * f)];
#pragma unroll
      for (int e = 0; e < 8; ++e) {
        const int r = y + 16 * e;
        const float p = now.a[r][((i / 4) ^ (r % 8)) * 4 + i % 4];
#pragma unroll
        for (int f = 0; f < 4; ++f) {
          sum[e][4 * f] += p * q[f].x;
          sum[e][4 * f + 1] += p * q[f].y;
          sum[e][4 * f + 2] += p * q[f].z;
          sum[e][4 * f + 3] += p * q[f].w;
        }
      }
    }
  }
#pragma unroll
  for (int e = 0; e < 8; ++e)
#pragma unroll
    for (int f = 0; f < 4; ++f) {
      const int r = top + y + 16 * e, q = left + 4 * x + 64 * f;
      if (r < m && q < n)
        *(float4*)(c + r * n + q) =
            make_float4(sum[e][4 * f], sum[e][4 * f + 1], sum[e][4 * f + 2],
                        sum[e][4 * f + 3]);
    }
}
static CUtensorMap map_of(const float* p, int rows, int cols, int high,
                          int wide, CUtensorMapSwizzle sw) {
  void* f = nullptr;
  cudaDriverEntryPointQueryResult r;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &f, 12000,
                                   cudaEnableDefault, &r);
  const cuuint64_t size[] = {(cuuint64_t)cols, (cuuint64_t)rows},
                   pitch[] = {cols * sizeof(float)};
  const cuuint32_t box[] = {(cuuint32_t)wide, (cuuint32_t)high},
                   step[] = {1, 1};
  CUtensorMap map{};
  ((decltype(&cuTensorMapEncodeTiled))f)(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, (void*)p, size, pitch, box,
      step, CU_TENSOR_MAP_INTERLEAVE_NONE, sw, CU_TENSOR_MAP_L2_PROMOTION_NONE,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return map;
}
void product(float* c, const float* a, const float* b, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  if (k == 0) {
    cudaMemset(c, 0, sizeof(float) * m * n);
    return;
  }
  cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       2 * sizeof(Tiles));
  multiply<<<dim3((n + kCols - 1) / kCols, (m + kRows - 1) / kRows), kThreads,
             2 * sizeof(Tiles)>>>(
      c, map_of(a, m, k, kRows, kStep, CU_TENSOR_MAP_SWIZZLE_128B),
      map_of(b, k, n, kStep, kCols, CU_TENSOR_MAP_SWIZZLE_NONE), m, n, k);
}
