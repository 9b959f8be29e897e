// A check of one number that has a limit.
#pragma once

#include "judge/execution.hpp"

#include <functional>
#include <string>

namespace course::judge {

struct Number {
  // With its limit.
  std::function<Measure(const Execution&)> measure;
  // In words: "2 launches".
  std::function<std::string(std::uint64_t)> words;
  // What a line has to do with it: where to look when it is beyond its limit. May be empty.
  std::function<std::uint64_t(const device::LineCounts&)> weight;
  bool in_all = true; // false: of a block, however many elements there are
};

// Fails when one execution is beyond the limit, and shows the one that judge/shown.hpp chooses.
Check check_number(const std::string& name, Executions, const Number&);

// The limit in words: "at least 4", "4 to 6", "6" where nothing less is too little. Empty without a
// limit.
std::string limit_of(const Measure&);

// The line with the largest weight, if any weighs anything.
Place heaviest(const device::Observation&,
               const std::function<std::uint64_t(const device::LineCounts&)>& weight);

} // namespace course::judge
