// honest: the first block of a cluster asks for all, and alone hears of readers
#include <cooperative_groups.h>

#include <cuda/ptx>

namespace ptx = cuda::ptx;
namespace cg = cooperative_groups;

constexpr int kCluster = 4, kFloats = 512, kWarps = 8, kDeep = 3;
constexpr int kBytes = kWarps * kFloats * sizeof(float);

struct Ring {
  float4 rows[kDeep][kWarps][kFloats / 4];
  uint64_t full[kDeep], read[kDeep], empty[kDeep];
};

__device__ void until(uint64_t& barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(&barrier, parity)) {
  }
}

__global__ void __cluster_dims__(kCluster, 1, 1)
    products(float* out, const float* vectors, const float* rows, int height) {
  extern __shared__ __align__(128) unsigned char memory[];
  Ring& ring = *reinterpret_cast<Ring*>(memory);
  cg::cluster_group cluster = cg::this_cluster();
  const bool first = cluster.block_rank() == 0;
  if (threadIdx.x == 0) {
    for (int s = 0; s < kDeep; ++s) {
      ptx::mbarrier_init(&ring.full[s], 1);
      ptx::mbarrier_init(&ring.read[s], kWarps);  // by this block's warps
      ptx::mbarrier_init(&ring.empty[s], kCluster);
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  cluster.sync();
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int steps = height / kWarps;
  if (warp == kWarps) {
    if (lane == 0)
      for (int step = 0; step < steps; ++step) {
        const int s = step % kDeep, parity = step / kDeep % 2;
        if (step >= kDeep) until(ring.read[s], parity ^ 1);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &ring.full[s],
                                       unsigned(kBytes));
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster,
                             ptx::space_cluster,
                             cluster.map_shared_rank(&ring.empty[s], 0));
        if (!first) continue;
        until(ring.empty[s], parity);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, ring.rows[s],
                           rows + size_t(step) * kWarps * kFloats,
                           unsigned(kBytes), &ring.full[s], uint16_t(0xf));
      }
  } else {
    const float4* vector =
        reinterpret_cast<const float4*>(vectors + blockIdx.x * kFloats);
    float4 b[kFloats / 128];
    for (int i = 0; i < kFloats / 128; ++i) b[i] = vector[32 * i + lane];
    for (int step = 0; step < steps; ++step) {
      const int s = step % kDeep;
      until(ring.full[s], step / kDeep % 2);
      float x = 0, y = 0;
      for (int i = 0; i < kFloats / 128; ++i) {
        const float4 a = ring.rows[s][warp][32 * i + lane];
        x = fmaf(a.x, b[i].x, fmaf(a.y, b[i].y, x));
        y = fmaf(a.z, b[i].z, fmaf(a.w, b[i].w, y));
      }
      __syncwarp();
      if (lane == 0) ptx::mbarrier_arrive(&ring.read[s]);
      x += y;
      for (int n = 1; n < 32; n <<= 1) x += __shfl_down_sync(~0u, x, n);
      if (lane == 0)
        out[size_t(blockIdx.x) * height + step * kWarps + warp] = x;
    }
  }
  cluster.sync();
}

void multiply(float* out, const float* vectors, const float* rows, int count,
              int height) {
  if (count == 0 || height == 0) return;
  cudaFuncSetAttribute(products, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       int(sizeof(Ring)));
  products<<<count, 32 * (kWarps + 1), sizeof(Ring)>>>(out, vectors, rows,
                                                       height);
}
