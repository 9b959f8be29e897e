// Which registers still matter at a place of a function: those that some path from there reads
// before it writes them.
#pragma once

#include "device/emulator/decode/decoded_module.hpp"

#include <map>
#include <utility>
#include <vector>

namespace course::emulator {

// Asked of few places, each of them often.
class LiveRegisters {
public:
  struct Held {
    Slot slot = 0;
    std::uint32_t bytes = 0; // of each lane; 0: a predicate
  };
  // Before the operation with this index.
  const std::vector<Held>& before(const Code&, std::uint32_t operation);

private:
  using Set = std::vector<bool>; // by number of the register
  struct Function {
    std::vector<Set> behind; // live at the end of each block
    std::vector<std::uint32_t> begins, block_of;
  };
  const Function& function_of(const Code&);

  std::map<const Code*, Function> functions_;
  std::map<std::pair<const Code*, std::uint32_t>, std::vector<Held>> asked_;
};

} // namespace course::emulator
