// Matrices in the registers of a warp: ldmatrix, stmatrix, and their product, mma.sync.
//
// Fragments are laid out over the lanes as the PTX ISA says under each instruction.
#pragma once

#include "device/emulator/decode/operation.hpp"

#include <string>
#include <vector>

namespace course::emulator {

// Operations on one to four 8x8 matrices of 16-bit numbers. The access names 16 bytes, a row, for
// each of the lanes 0 to 8 * matrices - 1. Slot 0 has the registers, 32 lanes of the first matrix
// and then of the next; `immediate`: how many matrices there are.
Execute matrix_load(bool transposed);
Execute matrix_store(bool transposed);

// D = A B + C, with C and D in f32. Slots 0 to 3: D, A, B, C, each register's 32 lanes one behind
// the other. Added up as a matrix unit does (unit_sums.hpp).
struct MatrixProduct {
  Execute execute = nullptr;
  int of_a = 0, of_b = 0; // registers; C and D have four
};
// By all modifiers: "sync.aligned.m16n8k16.row.col.f32.f16.f16.f32". Without `execute`: none.
MatrixProduct matrix_product(const std::string& modifiers);
std::vector<std::string> matrix_product_names(); // all modifiers of each, sorted

} // namespace course::emulator
