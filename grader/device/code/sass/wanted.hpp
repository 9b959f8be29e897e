// PTX instructions as far as they can be compared with SASS.
#pragma once

#include "device/code/ptx/module.hpp"
#include "device/code/ptx/paths.hpp"
#include "device/code/sass/access_widths.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace course::sass {

struct Wanted {
  Operation operation{};
  Memory memory = Memory::generic;
  std::uint32_t width = 0;   // bytes a lane; 0 where PTX does not say
  std::uint32_t element = 0; // bytes
  bool is_volatile = false;  // or ordered: it is never left out
  // wmma.load, wmma.store: several accesses for each lane, as many and as wide as ptxas likes.
  bool is_tile = false;
};

// Nothing for instructions that neither access memory nor exchange values between lanes, and for
// parameters at fixed places, which are operands.
std::optional<Wanted> wanted(const ptx::Instruction&);

// Where an access points, as far as the text says: a root, and bytes behind it. Additions of
// constants and moves are followed.
struct Place {
  enum class Root : std::uint8_t { none, reg, symbol } root = Root::none;
  std::uint32_t reg = 0;
  std::string symbol;
  std::int64_t offset = 0;

  bool same_root(const Place& other) const {
    return root == other.root && reg == other.reg && symbol == other.symbol;
  }
};

// What is known of the values in a function's registers.
class Values {
public:
  explicit Values(const ptx::Function&);

  Place place(const ptx::Instruction&) const; // of an access
  // Whether the root holds the same value at both instructions, which have no label between them.
  bool same_value(const Place&, std::uint32_t a, std::uint32_t b) const;
  // Whether somebody needs a result: what has none, and what other threads may see, is needed.
  bool needed(std::uint32_t instruction) const { return needed_[instruction]; }
  bool needed(const ptx::Operand& result) const;
  // Whether no label is between two instructions, so that the later one is reached through the
  // earlier one alone; and no branch either, so that all lanes that do one do the other.
  bool straight(std::uint32_t a, std::uint32_t b) const;
  bool together(std::uint32_t a, std::uint32_t b) const;
  // Whether what load `a` got is what `b` gets: every path to `b` goes through `a`, none of them
  // has something on it that may change or order memory, and the root is written once at most.
  bool still_known(const Place&, std::uint32_t a, std::uint32_t b) const;

private:
  void find_needed();
  void follow(Place&) const;
  bool keeps_memory(std::uint32_t begin, std::uint32_t end) const;

  const ptx::Function& function_;
  mutable std::optional<ptx::PtxBlocks>
      blocks_; // made when first asked for: few functions need them
  std::vector<std::vector<std::uint32_t>> written_at_; // by register
  std::vector<bool> needed_, used_;                    // by instruction, by register
  std::vector<std::uint32_t> labels_, branches_; // before each instruction, from the beginning
};

} // namespace course::sass
