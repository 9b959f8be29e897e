// One shape of an exercise with one seed, executed, and what it may cost.
#pragma once

#include "device/device.hpp"
#include "device/way.hpp"
#include "judge/check.hpp"
#include "judge/compare.hpp"

#include <map>
#include <optional>
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

// The way that an output's values have to come: none but `may`, and of each of `through` one.
struct WayBound {
  device::Way may = 0;
  std::vector<device::Way> through;
  std::uint64_t stay = 0; // elements that may come in any way, as those whose partner is missing
};
struct WayTaken {
  std::uint64_t elements = 0, astray = 0, first = 0; // `first`: index of the first one astray
  device::Way came = 0;                              // and how it came
};

// What an answer has to be made of: what its values came by, and how often what leaves no trace in
// a value has to be, or may be, used.
struct UsesBound {
  WayBound way;
  std::map<device::Used, Range> counts;
};
struct UsesTaken {
  WayTaken way;
  device::UsedCounts counts{};
};

// What no honest kernel comes near, many times the solution's: without a GPU there is no clock, and
// a kernel that is right and takes a hundred times as long would pass.
struct Cost {
  std::uint64_t instructions = Measure::kNoLimit; // of warps, executed
  std::uint64_t requests = Measure::kNoLimit;     // to shared and global memory
};

// What one shape of an exercise may cost. Totals over all launches of one execution.
struct Bounds {
  std::uint64_t elements = 0;  // of the output: what "an element" means in words
  std::uint64_t conflicts = 0; // at most
  Range shared_loads;          // in units of 32 words, as `ideal` counts
  Range shared_stores;         // the same
  GlobalBound global_loads, global_stores;
  Cost cost;
  std::map<std::string, Range> others; // by metric: see check_counted
  std::optional<WayBound> way;         // where it is followed
  std::optional<UsesBound> uses;       // the same
};

// One shape with one seed, executed.
struct Execution {
  Shape shape;
  bool drawn_shape = false; // from the seed: one with a name is shown before it
  std::uint64_t seed = 0;
  Bounds bounds;
  device::Observation observed;
  std::uint32_t shared_kib = 0; // that a multiprocessor was said to have; 0: what the GPU has
  std::string output_name = "out";
  Comparison output;                            // of no meaning unless the observation is complete
  std::map<std::string, std::uint64_t> numbers; // what the exercise itself made of it, by name
  std::optional<UsesTaken> uses;                // where there is a bound, and it was followed
  std::optional<WayTaken> way; // where there is a bound, and the execution is complete
  std::vector<Damage> damage;
};

using Executions = std::span<const Execution>;

} // namespace course::judge
