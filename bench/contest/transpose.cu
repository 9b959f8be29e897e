// The six transposes against cuBLAS geam, with cudaMemcpy as the ceiling.
#include "contest.cuh"

#include <cublas_v2.h>

namespace tile {
#include "../../solutions/05_transpose/1_tile.cu"
}
namespace pad {
#include "../../solutions/05_transpose/2_pad.cu"
}
namespace rows4 {
#include "../../solutions/05_transpose/3_rows.cu"
}
namespace any_shape {
#include "../../solutions/05_transpose/4_any_shape.cu"
}
namespace fast {
#include "../../solutions/05_transpose/5_fast.cu"
}
namespace no_padding {
#include "../../solutions/05_transpose/6_no_padding.cu"
}

int main() {
  using contest::Role;
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
  const float one = 1, zero = 0;
  for (const int n : {4096, 8192, 16384}) {
    const std::size_t count = std::size_t(n) * n;
    float* in = contest::memory<float>(count);
    contest::random_numbers(in, count, 1u << 23);
    contest::Contest<float> all("transpose", std::to_string(n) + " x " + std::to_string(n),
                                8.0 * count, 0, count);
    float* out = all.out;
    all.add("cuBLAS geam", Role::library, [&] {
      cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, &one, in, n, &zero, out, n, out, n);
    });
    all.add("cudaMemcpy", Role::ceiling,
            [&] { cudaMemcpyAsync(out, in, count * sizeof(float), cudaMemcpyDeviceToDevice); });
    all.add("05_transpose/1_tile", Role::solution, [&] { tile::transpose(out, in, n, n); });
    all.add("05_transpose/2_pad", Role::solution, [&] { pad::transpose(out, in, n, n); });
    all.add("05_transpose/3_rows", Role::solution, [&] { rows4::transpose(out, in, n, n); });
    all.add("05_transpose/4_any_shape", Role::solution,
            [&] { any_shape::transpose(out, in, n, n); });
    all.add("05_transpose/5_fast", Role::solution, [&] { fast::transpose(out, in, n, n); });
    all.add("05_transpose/6_no_padding", Role::solution,
            [&] { no_padding::transpose(out, in, n, n); });
    all.hold(n > 10000 ? 11 : 21);
    cudaFree(in);
  }
}
