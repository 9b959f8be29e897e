#include "runtime/client/blas/product.hpp"

#include <algorithm>

namespace course::client::blas {
namespace {

// Rows of a column that stay in the first cache while k goes by, and columns that share each load
// of A.
constexpr std::int64_t kRows = 512;
constexpr std::int64_t kColumns = 4;

// One vector width more where the processor has it. No fused multiply-add (CMakeLists.txt): it
// would give other bits than a processor without.
template <class T>
[[gnu::always_inline]] inline void
add_products(std::int64_t rows, std::int64_t k, const T* a, std::int64_t a_pitch, const T* b,
             std::int64_t b_pitch, T* c, std::int64_t c_pitch, std::int64_t columns) {
  for (std::int64_t p = 0; p < k; ++p) {
    const T* from = a + p * a_pitch;
    for (std::int64_t j = 0; j < columns; ++j) {
      const T by = b[j * b_pitch + p];
      T* to = c + j * c_pitch;
      for (std::int64_t i = 0; i < rows; ++i) to[i] += from[i] * by;
    }
  }
}

[[gnu::target_clones("avx2", "default")]] void add(std::int64_t rows, std::int64_t k,
                                                   const float* a, std::int64_t a_pitch,
                                                   const float* b, std::int64_t b_pitch, float* c,
                                                   std::int64_t c_pitch, std::int64_t columns) {
  add_products(rows, k, a, a_pitch, b, b_pitch, c, c_pitch, columns);
}
[[gnu::target_clones("avx2", "default")]] void add(std::int64_t rows, std::int64_t k,
                                                   const double* a, std::int64_t a_pitch,
                                                   const double* b, std::int64_t b_pitch, double* c,
                                                   std::int64_t c_pitch, std::int64_t columns) {
  add_products(rows, k, a, a_pitch, b, b_pitch, c, c_pitch, columns);
}

template <class T>
std::vector<T> sums_of(Extents size, std::span<const T> a, std::span<const T> b) {
  std::vector<T> c(static_cast<std::size_t>(size.m * size.n));
  for (std::int64_t j = 0; j < size.n; j += kColumns)
    for (std::int64_t i = 0; i < size.m; i += kRows)
      add(std::min(kRows, size.m - i), size.k, a.data() + i, size.m, b.data() + j * size.k, size.k,
          c.data() + j * size.m + i, size.m, std::min(kColumns, size.n - j));
  return c;
}

} // namespace

std::vector<float> sums(Extents size, std::span<const float> a, std::span<const float> b) {
  return sums_of(size, a, b);
}
std::vector<double> sums(Extents size, std::span<const double> a, std::span<const double> b) {
  return sums_of(size, a, b);
}

} // namespace course::client::blas
