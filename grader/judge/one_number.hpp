// A check of one number that has a limit.
#pragma once

#include "judge/execution.hpp"

#include <functional>
#include <string>

namespace course::judge {

struct Number {
  // With its limit.
  std::function<Measure(const Execution&)> measure;
  facts::Unit unit{};
  // What a line has to do with it: where to look when it is beyond its limit. May be empty.
  std::function<std::uint64_t(const device::LineCounts&)> weight;
  // Whether it counts a line, be it 0 of it. Empty: what has a weight.
  std::function<bool(const device::LineCounts&)> counts = {};
};

// Fails when one execution is beyond the limit, and shows the one that judge/which_execution.hpp
// chooses.
Check check_number(const std::string& name, Executions, const Number&);

// The line with the largest weight; nullptr where nothing weighs anything.
const device::LineCounts*
heaviest(const device::Observation&,
         const std::function<std::uint64_t(const device::LineCounts&)>& weight);
Place place_of(const device::LineCounts*);

} // namespace course::judge
