// Effects: what a launch did to memory, as far as it matters to whether it would do the same again.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace course::emulator {

struct Allocation;

struct Effects {
  std::vector<Allocation*> touched;
  std::vector<std::pair<Allocation*, std::uint64_t>> stored; // pages, by their index
  // No word that it read was changed by it: executed again, it does the same and changes nothing.
  bool reads_others = true;
};

} // namespace course::emulator
