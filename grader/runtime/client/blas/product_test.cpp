#include "runtime/client/blas/product.hpp"

#include <doctest/doctest.h>

#include <random>

namespace course::client::blas {
namespace {

template <class T>
std::vector<T> drawn(std::size_t count, std::mt19937& random) {
  std::vector<T> numbers(count);
  for (T& each : numbers) each = std::uniform_real_distribution<T>(-1, 1)(random);
  return numbers;
}

// As plain C++ has it: each sum in the order of k.
template <class T>
std::vector<T> one_by_one(Extents size, const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> c;
  for (std::int64_t j = 0; j < size.n; ++j)
    for (std::int64_t i = 0; i < size.m; ++i) {
      volatile T sum = 0; // rounded after each product and each sum
      for (std::int64_t p = 0; p < size.k; ++p) {
        const volatile T by = a[static_cast<std::size_t>(p * size.m + i)] *
                              b[static_cast<std::size_t>(j * size.k + p)];
        sum = sum + by;
      }
      c.push_back(T{sum});
    }
  return c;
}

template <class T>
void compare() {
  std::mt19937 random(7);
  for (const Extents size : {Extents{1, 1, 1}, {5, 3, 2}, {513, 6, 9}, {1024, 5, 3}, {3, 9, 0}}) {
    const auto a = drawn<T>(static_cast<std::size_t>(size.m * size.k), random);
    const auto b = drawn<T>(static_cast<std::size_t>(size.k * size.n), random);
    CHECK(sums(size, std::span<const T>(a), std::span<const T>(b)) == one_by_one(size, a, b));
  }
}

} // namespace

TEST_CASE("a product on the host adds in the order of k, to the bit, whatever vectors there are") {
  compare<float>();
  compare<double>();
}

} // namespace course::client::blas
