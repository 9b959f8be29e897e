// The products of lab 08 against cuBLAS sgemm in fp32, without tensor cores.
#include "contest.cuh"

#include <cublas_v2.h>
#include <cuda_pipeline.h>

namespace tile {
#include "../../solutions/08_tiled_product/1_tile.cu"
}
namespace ratio {
#include "../../solutions/08_tiled_product/2_ratio.cu"
}
namespace vector {
#include "../../solutions/08_tiled_product/3_vector.cu"
}
namespace pipeline {
#include "../../solutions/08_tiled_product/4_pipeline.cu"
}
namespace library {
#include "../../solutions/08_tiled_product/5_library.cu"
}

int main() {
  using contest::Role;
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
  cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH);
  const float one = 1, zero = 0;
  for (const int n : {1024, 2048, 4096}) {
    const std::size_t count = std::size_t(n) * n;
    float *a = contest::memory<float>(count), *b = contest::memory<float>(count);
    contest::random_numbers(a, count, 16); // so that all sums are exact
    contest::random_numbers(b, count, 15);
    contest::Contest<float> all("product", std::to_string(n) + "^3", 12.0 * count, 2.0 * n * count,
                                count, 1e-2);
    float* c = all.out;
    // cuBLAS stores by columns: the transposed product of the transposed factors.
    all.add("cuBLAS sgemm", Role::library, [&] {
      cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, a, n, &zero, c, n);
    });
    all.add("08_tiled_product/1_tile", Role::solution, [&] { tile::product(c, a, b, n, n, n); });
    all.add("08_tiled_product/2_ratio", Role::solution, [&] { ratio::product(c, a, b, n, n, n); });
    all.add("08_tiled_product/3_vector", Role::solution,
            [&] { vector::product(c, a, b, n, n, n); });
    all.add("08_tiled_product/4_pipeline", Role::solution,
            [&] { pipeline::product(c, a, b, n, n, n); });
    all.add("08_tiled_product/5_library", Role::solution,
            [&] { library::product(c, a, b, n, n, n); });
    all.hold(n > 2048 ? 9 : 21);
    cudaFree(a);
    cudaFree(b);
  }
}
