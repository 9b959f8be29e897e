// Step: an access by which threads can tell who was first, as a search of orders sees it.
#pragma once

#include <cstdint>
#include <vector>

namespace course::emulator {

using Agent = std::uint32_t; // a thread, by its number in the grid

struct Step {
  // Joins: changes the word, gives nothing back, and leaves the same as another that joins by the
  // same operation, whichever comes first.
  enum class Does : std::uint8_t { reads, changes, joins };

  Agent agent = 0;
  Does does = Does::reads;
  bool can_go_on = true;        // false: it would look once more at what it has looked at in vain
  std::uint64_t memory = 0;     // 0: global memory; otherwise the shared memory of a block, from 1
  std::uint64_t begin = 0;      // in bytes
  std::uint32_t bytes = 0;      // 0: of no memory
  std::uintptr_t joined_by = 0; // the operation
};

// Whether the order of two threads' steps can show.
constexpr bool depend(const Step& a, const Step& b) {
  if (a.memory != b.memory || a.begin >= b.begin + b.bytes || b.begin >= a.begin + a.bytes)
    return false;
  if (a.does == Step::Does::reads && b.does == Step::Does::reads) return false;
  return a.does != Step::Does::joins || b.does != Step::Does::joins || a.joined_by != b.joined_by ||
         a.begin != b.begin || a.bytes != b.bytes;
}

// Who goes on, step by step.
using Choices = std::vector<Agent>;

} // namespace course::emulator
