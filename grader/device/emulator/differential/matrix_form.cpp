#include "device/emulator/differential/matrix_form.hpp"

namespace course::emulator::differential {

Holder holder_of_element(std::size_t row, std::size_t column, bool transposed) {
  if (transposed) std::swap(row, column);
  return {row * 4 + column / 2, 0, column % 2};
}

std::string Move::full() const {
  return std::string(load ? "ldmatrix" : "stmatrix") + ".sync.aligned.m8n8.x" +
         std::to_string(matrices) + (transposed ? ".trans" : "") + space + ".b16";
}

const std::vector<Move>& moves() {
  static const std::vector<Move> all = [] {
    std::vector<Move> made;
    for (const bool load : {true, false})
      for (const bool transposed : {false, true})
        for (const std::size_t matrices : {1, 2, 4})
          for (const char* space : {"", ".shared", ".shared::cta"})
            made.push_back({load, transposed, matrices, space});
    return made;
  }();
  return all;
}

std::string Product::full() const {
  return "mma.sync.aligned.m16n8k" + std::to_string(depth) + ".row.col.f32." + type + "." + type +
         ".f32";
}

// Four lanes share a row of A, eight rows at a time; along k each register holds the numbers of
// those four lanes, two of 16 bits or one of 32 a lane.
Holder Product::a(std::size_t row, std::size_t k) const {
  const std::size_t each = type == "tf32" ? 1 : 2, along = 4 * each;
  return {row % 8 * 4 + k % along / each, row / 8 + k / along * 2, k % each};
}
Holder Product::b(std::size_t k, std::size_t column) const {
  const std::size_t each = type == "tf32" ? 1 : 2, along = 4 * each;
  return {column * 4 + k % along / each, k / along, k % each};
}
Holder Product::c(std::size_t row, std::size_t column) {
  return {row % 8 * 4 + column / 2, row / 8 * 2 + column % 2, 0};
}

double Product::number(std::uint32_t reg, std::size_t half) const {
  if (type == "tf32") // sign, 8 bits of exponent, 10 of significand; the rest is ignored
    return static_cast<double>(value(exact(reg >> 13 << 13, kF32)));
  const Bits bits = half ? reg >> 16 : reg & 0xffff;
  return static_cast<double>(value(exact(bits, type == "f16" ? kF16 : kBf16)));
}

const std::vector<Product>& products() {
  static const std::vector<Product> all = {{"f16", 8},   {"f16", 16}, {"bf16", 8},
                                           {"bf16", 16}, {"tf32", 4}, {"tf32", 8}};
  return all;
}

} // namespace course::emulator::differential
