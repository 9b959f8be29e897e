// Step: an access by which threads can tell who was first, as a search of orders sees it.
#pragma once

#include <cstdint>
#include <vector>

namespace course::emulator {

// A thread, by its number in the grid; or what comes by itself, of a number above all of them.
using Agent = std::uint32_t;

struct Step {
  // joins: changes the word, gives nothing back, and leaves the same as another that joins by the
  // same operation, whichever comes first. arrives, looks: at a barrier in memory.
  enum class Does : std::uint8_t { reads, changes, joins, arrives, looks };

  // Of a barrier in memory before the step. A phase ends when no arrival and no byte is missing.
  struct Phase {
    std::uint64_t number = 0; // phases before it
    std::uint64_t steps = 0;  // that came before this one
    std::int64_t arrivals = 0, bytes = 0;
  };

  Agent agent = 0;
  Does does = Does::reads;
  bool can_go_on = true;        // false: it would look once more at what it has looked at in vain
  std::uint64_t memory = 0;     // 0: global memory; otherwise the shared memory of a block, from 1
  std::uint64_t begin = 0;      // in bytes
  std::uint32_t bytes = 0;      // 0: of no memory
  std::uintptr_t joined_by = 0; // the operation
  Phase phase = {};
  std::int64_t arrivals = 0, brings = 0; // that are no longer missing behind it; and bytes
  bool is_back = false;                  // its last step led nowhere but to the same step
};

constexpr bool ends_phase(const Step::Phase& phase, const Step& by) {
  return phase.arrivals == by.arrivals && phase.bytes == by.brings;
}

// Arrivals of one phase come in any order, as long as both are of it however they come.
constexpr bool arrivals_depend(const Step& a, const Step& b) {
  if (a.phase.number != b.phase.number) return true;
  const Step::Phase& first = a.phase.steps < b.phase.steps ? a.phase : b.phase;
  return ends_phase(first, a) || ends_phase(first, b) || a.arrivals + b.arrivals > first.arrivals;
}

// Who looks sees the end of a phase: that of all its arrivals, or that it has not come.
constexpr bool shows(const Step& arrival, const Step& look) {
  return arrival.phase.number < look.phase.number || ends_phase(arrival.phase, arrival);
}

// Whether the order of two threads' steps can show.
constexpr bool depend(const Step& a, const Step& b) {
  using Does = Step::Does;
  if (a.memory != b.memory || a.begin >= b.begin + b.bytes || b.begin >= a.begin + a.bytes)
    return false;
  const auto only_reads = [](const Step& s) {
    return s.does == Does::reads || s.does == Does::looks;
  };
  if (only_reads(a) && only_reads(b)) return false;
  if (a.does == Does::arrives && b.does == Does::arrives) return arrivals_depend(a, b);
  if (a.does == Does::arrives && b.does == Does::looks) return shows(a, b);
  if (a.does == Does::looks && b.does == Does::arrives) return shows(b, a);
  return a.does != Does::joins || b.does != Does::joins || a.joined_by != b.joined_by ||
         a.begin != b.begin || a.bytes != b.bytes;
}

// Who goes on, step by step.
using Choices = std::vector<Agent>;

} // namespace course::emulator
