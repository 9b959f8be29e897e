// Which lane holds which element of a matrix, in which register: the PTX ISA's figures of ldmatrix,
// stmatrix and mma, written from the element's side.
#pragma once

#include "device/emulator/differential/reference.hpp"

#include <string>
#include <utility>
#include <vector>

namespace course::emulator::differential {

struct Holder {
  std::size_t lane = 0, reg = 0, half = 0; // half 1: the upper 16 bits
};

// ldmatrix and stmatrix: element of an 8x8 matrix of 16 bits.
Holder holder_of_element(std::size_t row, std::size_t column, bool transposed);

struct Move { // ldmatrix, stmatrix
  bool load = true, transposed = false;
  std::size_t matrices = 1;
  std::string space; // ".shared"; empty: generic

  std::string full() const;
};
const std::vector<Move>& moves();

struct Product {    // m16n8k`depth`
  std::string type; // of A and B: "f16", "bf16", "tf32"
  std::size_t depth = 0;

  std::string full() const;
  std::size_t registers_of_a() const { return depth * (type == "tf32" ? 4 : 2) / 8; }
  std::size_t registers_of_b() const { return registers_of_a() / 2; }
  Holder a(std::size_t row, std::size_t k) const;
  Holder b(std::size_t k, std::size_t column) const;
  static Holder c(std::size_t row, std::size_t column);
  // The number that `reg` holds in `half`.
  double number(std::uint32_t reg, std::size_t half) const;
};
const std::vector<Product>& products();

} // namespace course::emulator::differential
