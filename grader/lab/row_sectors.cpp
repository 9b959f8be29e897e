#include "lab/row_sectors.hpp"

#include <algorithm>

namespace course::lab {
namespace {

constexpr std::uint64_t kSectorFloats = 8; // 32 bytes

} // namespace

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
  return (a + b - 1) / b;
}

judge::GlobalBound in_pieces(std::uint64_t rows, std::uint64_t cols, std::uint64_t width) {
  judge::GlobalBound bound{0, 0};
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t col = 0; col < cols; col += width) {
      const auto first = row * cols + col;
      const auto last = row * cols + std::min(col + width, cols) - 1;
      ++bound.requests;
      bound.sectors += last / kSectorFloats - first / kSectorFloats + 1;
    }
  }
  return bound;
}

std::uint64_t with_room(std::uint64_t limit) {
  return limit + ceil_div(limit, 10);
}

} // namespace course::lab
