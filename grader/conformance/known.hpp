// Inequalities that are known: where the emulated device does not count what the GPU counted, and
// why. Each must stay as it is listed. One that gets better is taken off the list, and one that
// gets worse is a fault, so either makes the run unequal.
#pragma once

#include "conformance/exercises.hpp"

#include <string>
#include <variant>
#include <vector>

namespace course::conformance {

struct Known {
  std::string file, shape;
  std::string difference; // as lab::differences has it, with both numbers
  std::string why;
};

// The rows of a table with the columns file, shape, difference and why; all but the shape must say
// something.
std::variant<std::vector<Known>, std::string> known_in(const Table&);

// Whether an outcome that was compared differs as listed, and in nothing else. Otherwise what is
// wrong, a sentence each; for an outcome that is equal and not listed, nothing.
struct Compared {
  bool as_known = false;
  std::vector<std::string> faults;
};
Compared compared(const Outcome&, const std::vector<Known>&);

} // namespace course::conformance
