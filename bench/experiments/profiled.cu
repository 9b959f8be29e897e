// Exercise 05_transpose/2_pad for a profiler: the kernel as the reader finds it, and the
// solution's.
//
//   ./profiled [side of the matrix, 512 if left out]
#include "../contest/contest.cuh"

namespace before {
#include "../../labs/05_transpose/2_pad.cu"
}
namespace after {
#include "../../solutions/05_transpose/2_pad.cu"
}

int main(int count, char** arguments) {
  const int side = count > 1 ? std::atoi(arguments[1]) : 512;
  if (side < 32 || side > 16384) {
    std::fprintf(stderr, "the side has to be from 32 to 16384\n");
    return 1;
  }
  const std::size_t elements = std::size_t(side) * side;
  float *const in = contest::memory<float>(elements), *const out = contest::memory<float>(elements);
  contest::random_numbers(in, elements);
  before::transpose(out, in, side, side);
  after::transpose(out, in, side, side);
  contest::must(cudaDeviceSynchronize(), "transpose");
  return 0;
}
