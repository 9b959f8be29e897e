// What lab 11 is about, timed: a transpose by tensor maps whose tile is read in three ways, a
// histogram of more bins than fit a block in three, and products of bf16 by wgmma beside cuBLAS and
// beside mma.sync. For compute capability 9.0 alone.
#include "../bins.cuh"
#include "contest.cuh"

#include <cooperative_groups.h>
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda/ptx>
#include <cuda_bf16.h>
#include <cuda_pipeline.h>

namespace words {
#include "../../labs/11_async_memory/3_tensor_map.cu"
}
namespace swizzled_words {
#include "wrong/11_async_memory/3_tensor_map_words_of_a_swizzle.cu"
}
namespace units {
#include "../../solutions/11_async_memory/3_tensor_map.cu"
}
namespace by_threads {
#include "../../solutions/05_transpose/5_fast.cu"
}
namespace globally {
#include "../../labs/11_async_memory/4_cluster.cu"
}
namespace passes {
#include "../../solutions/09_histograms/4_many_bins.cu"
}
namespace of_a_cluster {
#include "../../solutions/11_async_memory/4_cluster.cu"
}
namespace mma {
#include "../../solutions/10_matrix_units/4_product.cu"
}
namespace one_tile {
#include "../../solutions/11_async_memory/5_wgmma.cu"
}
namespace ladder {
#include "../../solutions/11_async_memory/6_ladder.cu"
}
namespace two_stages {
#include "wrong/11_async_memory/6_ladder_two_stages.cu"
}
namespace three_stages {
#include "../../solutions/11_async_memory/honest/6_ladder_three_stages.cu"
}
namespace not_persistent {
#include "../../solutions/11_async_memory/honest/6_ladder_a_tile_a_block.cu"
}

namespace {

using contest::Role;
using Number = __nv_bfloat16;

void hold_transposes(int rows, int cols) {
  const std::size_t count = std::size_t(rows) * cols;
  auto* in = contest::memory<float>(count);
  contest::random_numbers(in, count);
  contest::Contest<float> all("transpose by tensor maps",
                              std::to_string(rows) + " x " + std::to_string(cols), 8.0 * count, 0,
                              count);
  float* out = all.out;
  all.add("a copy", Role::ceiling,
          [=] { cudaMemcpyAsync(out, in, count * sizeof(float), cudaMemcpyDeviceToDevice); });
  all.add("05_transpose/5_fast", Role::library,
          [=] { by_threads::transpose(out, in, rows, cols); });
  all.add("3: words", Role::solution, [=] { words::transpose(out, in, rows, cols); });
  all.add("3: words of a swizzle", Role::solution,
          [=] { swizzled_words::transpose(out, in, rows, cols); });
  all.add("11_async_memory/3_tensor_map", Role::solution,
          [=] { units::transpose(out, in, rows, cols); });
  all.hold(21);
  cudaFree(in);
}

void hold_histograms(int n, int bins) {
  auto* in = contest::memory<int>(n);
  fill_bins<<<1024, 256>>>(in, n, Data::uniform, bins);
  contest::Contest<int> all("histogram of " + std::to_string(bins) + " bins",
                            std::to_string(n >> 20) + " Mi", 4.0 * n, 0, bins);
  int* out = all.out;
  all.add("4: additions to global memory", Role::library,
          [=] { globally::histogram(out, in, n, bins); });
  all.add("09_histograms/4_many_bins", Role::solution,
          [=] { passes::histogram(out, in, n, bins); });
  all.add("11_async_memory/4_cluster", Role::solution,
          [=] { of_a_cluster::histogram(out, in, n, bins); });
  all.hold(21);
  cudaFree(in);
}

void hold_products(cublasHandle_t handle, int n, int rounds) {
  const std::size_t count = std::size_t(n) * n;
  auto *a = contest::memory<Number>(count), *b = contest::memory<Number>(count);
  contest::random_numbers(a, count, 16); // so that all sums are exact
  contest::random_numbers(b, count, 15);
  contest::Contest<float> all("matrix product", std::to_string(n) + "^3", 8.0 * count,
                              2.0 * n * count, count);
  float* c = all.out;
  const float one = 1, zero = 0;
  // cuBLAS stores by columns: C^T = B A^T.
  all.add("cuBLAS bf16", Role::library, [&] {
    cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &one, b, CUDA_R_16BF, n, a, CUDA_R_16BF,
                 n, &zero, c, CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  });
  const auto add = [&](const char* name, auto product) {
    all.add(name, Role::solution, [=] { product(c, a, b, n, n, n); });
  };
  add("10_matrix_units/4_product", mma::product);
  add("11_async_memory/5_wgmma", one_tile::product);
  add("6: two stages", two_stages::product);
  add("6: three stages", three_stages::product);
  add("6: a tile a block", not_persistent::product);
  add("11_async_memory/6_ladder", ladder::product);
  all.hold(rounds);
  cudaFree(a);
  cudaFree(b);
}

} // namespace

int main() {
  hold_transposes(8192, 4096);
  hold_histograms(1 << 24, 196'608);
  hold_histograms(1 << 26, 196'608);
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
  for (const int n : {2048, 4096, 8192}) hold_products(handle, n, n > 4096 ? 15 : 31);
}
