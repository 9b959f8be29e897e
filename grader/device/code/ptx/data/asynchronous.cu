// Asynchronous copies, barriers in memory, bulk and tensor copies, matrix loads.

#include <cstdint>
#include <cuda/barrier>
#include <cuda_pipeline.h>
#include <mma.h>

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

__global__ void __launch_bounds__(128) pipeline(float4* data) {
  __shared__ float4 stage[2][128];
  __pipeline_memcpy_async(&stage[0][threadIdx.x], data + threadIdx.x, 16);
  __pipeline_commit();
  __pipeline_memcpy_async(&stage[1][threadIdx.x], data + threadIdx.x + 128, 16, 4);
  __pipeline_memcpy_async((float*)data + threadIdx.x, (float*)&stage[1][threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  data[threadIdx.x] = stage[0][threadIdx.x ^ 1];
  __pipeline_wait_prior(0);
  __syncthreads();
  data[threadIdx.x + 128] = stage[1][threadIdx.x ^ 3];
}

__global__ void bulk(int* data) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier arrived;
  __shared__ alignas(128) int buffer[256];
  if (threadIdx.x == 0) {
    init(&arrived, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::memcpy_async(buffer, data, cuda::aligned_size_t<16>(sizeof buffer), arrived);
    token = arrived.arrive();
  } else {
    token = arrived.arrive();
  }
  arrived.wait(std::move(token));
  buffer[threadIdx.x] += 1;
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_shared_to_global(data, buffer, sizeof buffer);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
  }
}

__global__ void tensor(const void* map, int x, int y, float* out) {
  __shared__ alignas(128) float tile[256];
  __shared__ std::uint64_t arrived;
  const unsigned to = __cvta_generic_to_shared(tile);
  const unsigned on = __cvta_generic_to_shared(&arrived);
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(on), "r"(1));
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
               " [%0], [%1, {%2, %3}], [%4];" ::"r"(to),
               "l"(map), "r"(x), "r"(y), "r"(on)
               : "memory");
  asm volatile(
      "{\n\t.reg .pred p;\nWAIT:\n\t"
      "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n\t@!p bra WAIT;\n}" ::"r"(on),
      "r"(0));
  out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void matrices(int* out) {
  __shared__ alignas(16) int cells[512];
  cells[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const unsigned at = __cvta_generic_to_shared(cells + threadIdx.x * 4);
  int a, b, c, d;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
               : "r"(at));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2+16];"
               : "+r"(a), "+r"(b)
               : "r"(at));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%4], {%0, %1, %2, %3};" ::"r"(a), "r"(b),
               "r"(c), "r"(d), "r"(at));
  out[threadIdx.x] = cells[threadIdx.x ^ 5] + a + b + c + d;
}

__global__ void wmma(const half* a, const half* b, float* c) {
  using namespace nvcuda::wmma;
  __shared__ half tile[256];
  tile[threadIdx.x] = a[threadIdx.x];
  __syncwarp();
  fragment<matrix_a, 16, 16, 16, half, row_major> left;
  fragment<matrix_b, 16, 16, 16, half, col_major> right;
  fragment<accumulator, 16, 16, 16, float> sum;
  fill_fragment(sum, 0.0f);
  load_matrix_sync(left, tile, 16);
  load_matrix_sync(right, b, 16);
  mma_sync(sum, left, right, sum);
  store_matrix_sync(c, sum, 16, mem_row_major);
}
