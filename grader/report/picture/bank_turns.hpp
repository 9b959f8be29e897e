// Which lanes each bank serves, turn after turn.
#pragma once

#include "device/model/request.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace course::report {

// Lanes that one bank serves together, and the first word of what they ask for.
struct BankMark {
  std::uint32_t lanes = 0; // 0: the bank has nothing to do
  std::uint32_t word = 0;

  int lane() const { return std::countr_zero(lanes); } // the lowest, which names them
};
struct BankTurn {
  std::array<BankMark, model::kBanks> bank;
  bool first_of_group = false; // otherwise it is an extra one, that a conflict costs
};

// In the order of the groups of lanes (device/model/shared.hpp). For loads and stores a turn is a
// wavefront.
std::vector<BankTurn> bank_turns(const model::Request&);

// The first word that a lane touches.
std::uint32_t first_word(const model::Request&, int lane);

} // namespace course::report
