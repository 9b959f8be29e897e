// One shape of an exercise with one seed, executed, and what it may cost.
#pragma once

#include "device/device.hpp"
#include "judge/check.hpp"
#include "judge/compare.hpp"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace course::judge {

struct Range { // both ends inclusive
  std::uint64_t low = 0, high = Measure::kNoLimit;
};

// Global loads, or stores. `requests` are the solution's: what "a request" means in words.
struct GlobalBound {
  std::uint64_t requests = 0;
  std::uint64_t sectors = Measure::kNoLimit; // at most
};

// What one shape of an exercise may cost. Totals over all launches of one execution.
struct Bounds {
  std::uint64_t elements = 0;  // of the output: what "an element" means in words
  std::uint64_t conflicts = 0; // at most
  Range shared_loads;          // in units of 32 words, as `ideal` counts
  Range shared_stores;         // the same
  GlobalBound global_loads, global_stores;
  std::map<std::string, Range> others; // by metric: see check_counted
};

// A buffer that was changed though it should not have been.
struct Damage {
  std::string what; // "`in`", "memory after `out`"
  std::uint64_t byte = 0;
};

// One shape with one seed, executed.
struct Execution {
  std::string shape; // "64 x 96"
  std::uint64_t seed = 0;
  Bounds bounds;
  device::Observation observed;
  std::string output_name = "out";
  Comparison output;                            // of no meaning unless the observation is complete
  std::map<std::string, std::uint64_t> numbers; // what the exercise itself made of it, by name
  std::vector<Damage> damage;
};

using Executions = std::span<const Execution>;

} // namespace course::judge
