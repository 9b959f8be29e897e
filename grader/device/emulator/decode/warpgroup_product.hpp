// What one wgmma.mma_async multiplies.
#pragma once

#include "device/emulator/decode/operation.hpp"
#include "device/emulator/decode/tiles.hpp"
#include "device/model/matrix_descriptor.hpp"

#include <utility>
#include <vector>

namespace course::emulator {

// D = A B + D, or A B: 64 rows of A and D, `columns` of B and D, 32 bytes along K.
struct WarpgroupProduct {
  Number a{}, b{}, d{};
  std::uint32_t columns = 0;
  bool a_in_registers = false;
  model::Major a_major{}, b_major{};
  bool negates_a = false, negates_b = false;
  bool saturates = false;      // of integers
  std::vector<Slot> d_slots;   // of the accumulators' registers, in order
  std::vector<Slot> a_slots;   // of A's four
  std::vector<Slot> registers; // all of these, sorted
  Slot a_descriptor = 0, b_descriptor = 0;
  Slot adds = 0; // a predicate: D is added

  std::uint32_t depth() const {
    return model::kProductDepth * 8 / static_cast<unsigned>(bits_of(a));
  }
};

// Registers of products that another instruction accesses, by their slots.
struct ProductTouch {
  std::vector<Slot> reads, writes;
  std::vector<std::pair<Slot, Slot>> copies; // to, from: a move between registers
  bool of_constant = false; // compilers put it where they like, and need no fence for it
};

} // namespace course::emulator
