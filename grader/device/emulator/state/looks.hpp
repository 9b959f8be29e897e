// Looks of a thread at what others may change, where its order with them is chosen
// (execute/choices.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace course::emulator {

struct Operation;

// What a thread of a block has looked at: where it comes back to the same place with the same
// values in its registers, and all that it has looked at on the way is what it was, it goes round
// in vain.
class Looks {
public:
  struct Look {
    const Operation* operation = nullptr;
    std::uint64_t registers = 0; // a digest
    const std::byte* at = nullptr;
    std::uint32_t bytes = 0;
    std::array<std::byte, 16> found{}; // there, before the step

    bool is_as_it_was() const;
    bool is_like(const Look& other) const {
      return operation == other.operation && at == other.at && registers == other.registers;
    }
  };

  void add(const Look&);
  // Whether the last one leads to nothing else than the ones before it, as long as nobody changes
  // what they looked at.
  bool in_vain() const;
  // Whether the last one is the one before it once more.
  bool is_back() const;

private:
  std::vector<Look> looks_; // the last of them
};

} // namespace course::emulator
