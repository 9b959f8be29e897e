// C = alpha * op(A) * op(B) + beta * C on the host.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace course::client::blas {

struct Extents {
  std::int64_t m = 0, n = 0, k = 0;
};

// The sums of op(A) * op(B), column after column: `a` has m x k numbers, `b` k x n, both packed in
// columns. Each sum adds its products in the order of k, every product and sum rounded by itself,
// so that every machine gives the same bits. Takes 2 m n k operations on one core.
std::vector<float> sums(Extents, std::span<const float> a, std::span<const float> b);
std::vector<double> sums(Extents, std::span<const double> a, std::span<const double> b);

} // namespace course::client::blas
