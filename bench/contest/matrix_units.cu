// The product of numbers of bf16 by mma.sync, in lab 10's ways, beside cuBLAS, which has wgmma;
// what stages bring and what conflicts cost; and attention scores beside writing as many bytes.
#include "contest.cuh"

#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_pipeline.h>

namespace fragments {
#include "../../solutions/10_matrix_units/1_fragments.cu"
}
namespace unpadded {
#include "wrong/10_matrix_units/1_fragments_unpadded.cu"
}
namespace by_words {
#include "wrong/10_matrix_units/1_fragments_by_words.cu"
}
namespace swizzle {
#include "../../solutions/10_matrix_units/2_swizzle.cu"
}
namespace one_stage {
#include "wrong/10_matrix_units/3_stages_one.cu"
}
namespace two_stages {
#include "wrong/10_matrix_units/3_stages_two.cu"
}
namespace three_stages {
#include "../../solutions/10_matrix_units/honest/3_stages_three.cu"
}
namespace stages {
#include "../../solutions/10_matrix_units/3_stages.cu"
}
namespace best {
#include "../../solutions/10_matrix_units/4_product.cu"
}
namespace not_swizzled {
#include "wrong/10_matrix_units/4_product_not_swizzled.cu"
}
namespace square_blocks {
#include "../../solutions/10_matrix_units/honest/4_product_square_blocks.cu"
}
namespace in_every_step {
#include "product_in_every_step.cuh"
}
namespace halves_apart {
#include "../../solutions/10_matrix_units/honest/4_product_halves_apart.cu"
}
namespace copies_in_pairs {
#include "../../solutions/10_matrix_units/honest/4_product_copies_in_pairs.cu"
}
namespace narrow_warps {
#include "../../solutions/10_matrix_units/honest/4_product_narrow_warps.cu"
}
namespace wide_blocks {
#include "../../solutions/10_matrix_units/honest/4_product_wide_blocks.cu"
}
namespace longer_steps {
#include "../../solutions/10_matrix_units/honest/4_product_longer_steps.cu"
}
namespace four_longer_steps {
#include "../../solutions/10_matrix_units/honest/4_product_four_longer_steps.cu"
}
namespace fewer_stages {
#include "../../solutions/10_matrix_units/honest/4_product_three_stages.cu"
}
namespace attention {
#include "../../solutions/10_matrix_units/5_scores.cu"
}

namespace {

using contest::Role;
using Number = __nv_bfloat16;
using Product = void (*)(float*, const Number*, const Number*, int, int, int);

struct Way {
  const char* name;
  Role role;
  Product product;
};

void hold(cublasHandle_t handle, const char* name, int n, const std::vector<Way>& ways,
          int rounds) {
  const std::size_t count = std::size_t(n) * n;
  auto *a = contest::memory<Number>(count), *b = contest::memory<Number>(count);
  contest::random_numbers(a, count, 16); // so that all sums are exact
  contest::random_numbers(b, count, 15);
  contest::Contest<float> all(name, std::to_string(n) + "^3", 8.0 * count, 2.0 * n * count, count);
  float* c = all.out;
  // cuBLAS stores by columns: C^T = B A^T.
  const float one = 1, zero = 0;
  all.add("cuBLAS bf16", Role::library, [&] {
    cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &one, b, CUDA_R_16BF, n, a, CUDA_R_16BF,
                 n, &zero, c, CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  });
  for (const auto& way : ways)
    all.add(way.name, way.role, [&, product = way.product] { product(c, a, b, n, n, n); });
  all.hold(rounds);
  cudaFree(a);
  cudaFree(b);
}

void hold_scores(int m, int n) {
  constexpr int kWidth = 64;
  auto* queries = contest::memory<Number>(std::size_t(m) * kWidth);
  auto* keys = contest::memory<Number>(std::size_t(n) * kWidth);
  contest::random_numbers(queries, std::size_t(m) * kWidth, 4);
  contest::random_numbers(keys, std::size_t(n) * kWidth, 4);
  const std::size_t count = std::size_t(m) * n;
  contest::Contest<float> all("scores", std::to_string(m) + " x " + std::to_string(n),
                              4.0 * count + 2.0 * kWidth * (m + n), 2.0 * kWidth * count, count);
  float* p = all.out;
  all.add("writing as much", Role::ceiling, [&] { cudaMemsetAsync(p, 0, count * sizeof(float)); });
  all.add("10_matrix_units/5_scores", Role::solution,
          [&] { attention::scores(p, queries, keys, m, n); });
  all.hold(21);
  cudaFree(queries);
  cudaFree(keys);
}

} // namespace

int main() {
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
  for (const int n : {2048, 4096, 8192})
    hold(handle, "matrix product", n,
         {{"10_matrix_units/1_fragments", Role::solution, fragments::product},
          {"10_matrix_units/2_swizzle", Role::solution, swizzle::product},
          {"10_matrix_units/3_stages", Role::solution, stages::product},
          {"10_matrix_units/4_product", Role::solution, best::product},
          {"4: all in every step", Role::solution, in_every_step::product},
          {"4: halves of B apart", Role::solution, halves_apart::product},
          {"4: copies in pairs", Role::solution, copies_in_pairs::product},
          {"4: 128x128 a block", Role::solution, square_blocks::product},
          {"4: 128x128, 64x32 a warp", Role::solution, narrow_warps::product},
          {"4: 128x256 a block", Role::solution, wide_blocks::product},
          {"4: 128x256, steps of 64, three stages", Role::solution, longer_steps::product},
          {"4: 128x256, steps of 64, four stages", Role::solution, four_longer_steps::product},
          {"4: 128x256, three stages", Role::solution, fewer_stages::product},
          {"4: no swizzle", Role::solution, not_swizzled::product}},
         n > 4096 ? 9 : 21);
  hold(handle, "fragments", 2048,
       {{"10_matrix_units/1_fragments", Role::solution, fragments::product},
        {"1: no padding", Role::solution, unpadded::product},
        {"1: loads of 4 bytes", Role::solution, by_words::product}},
       21);
  for (const int n : {2048, 4096})
    hold(handle, "stages", n,
         {{"3: one stage", Role::solution, one_stage::product},
          {"3: two stages", Role::solution, two_stages::product},
          {"3: three stages", Role::solution, three_stages::product},
          {"10_matrix_units/3_stages", Role::solution, stages::product}},
         21);
  for (const int m : {8192, 32768}) hold_scores(m, 1024);
}
