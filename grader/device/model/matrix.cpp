#include "device/model/matrix.hpp"

#include <algorithm>

#include "device/model/fullest_bank.hpp"

namespace course::model {

int matrices(const Request& request) {
  return request.width <= 4 ? 1 : request.width <= 8 ? 2 : 4;
}

Passes matrix_passes(const Request& request) {
  constexpr int kRowShift = 4, kColumns = 8, kRows = 8;
  Passes passes;
  for (int matrix = 0; matrix < matrices(request); ++matrix) {
    const std::uint32_t rows = request.active & 0xffu << (kRows * matrix);
    if (rows == 0) continue;
    const int cost = most_distinct(wanted(request.offset, rows, kRowShift), kColumns);
    passes.wavefronts += cost;
    passes.ideal += 1;
    passes.ways = std::max(passes.ways, cost);
  }
  return passes;
}

} // namespace course::model
