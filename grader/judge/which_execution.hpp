// Which execution a check speaks of, and what a check is where numbers are missing.
#pragma once

#include "judge/execution.hpp"

#include <functional>
#include <optional>

namespace course::judge {

// Whether there are an output and counts to judge: the kernels ran to their end, and every access
// was to memory that it may touch. On a GPU such an access ends a kernel, or changes other memory;
// what the emulated device counts past it describes no real run.
bool complete(const Execution&);

// Which of two executions is spoken of: the one whose shape has a name, which is the same for every
// seed, and of two such the larger.
inline bool goes_before(const Execution& one, const Execution& other) {
  if (one.drawn_shape != other.drawn_shape) return other.drawn_shape;
  return one.bounds.elements > other.bounds.elements;
}

// The execution that a check shows: the first in that order that fails, else the first.
struct Shown {
  const Execution* execution = nullptr; // nullptr: there is none at all
  bool fails = false;
};

template <class Fails>
Shown choose(Executions executions, Fails fails) {
  Shown shown;
  for (const auto& execution : executions) {
    if (!complete(execution)) continue;
    const bool failing = fails(execution);
    const bool better = !shown.execution || (failing && !shown.fails) ||
                        (failing == shown.fails && goes_before(execution, *shown.execution));
    if (better) shown = {&execution, failing};
  }
  return shown;
}

// What keeps a check from a pass though nothing failed: nothing was executed, or an execution was
// ended. Nothing when every execution is complete.
std::optional<facts::Missing> gap(Executions);

// A check with its status; facts and measures are still to come.
Check start(const std::string& name, Executions, const Shown&);

// A check that is not measured, and why.
Check unmeasured(const std::string& name, facts::Missing why);

// The same check, not measured after all, and why.
Check nothing_to_look_at(Check, facts::Missing why);

// What a line adds to the measure of that place among a check's measures; nothing where the
// measure is not about such lines.
using Share =
    std::function<std::optional<std::uint64_t>(const device::LineCounts&, std::size_t measure)>;

// The check, not measured where it passed and the measure of an execution is not known
// (judge/check.hpp): then a limit would rest on an uncertain count. It speaks of the line that adds
// most to what is uncertain of that measure; without shares, of a number that no line has.
Check unless_uncertain(Check, Executions,
                       const std::function<std::vector<Measure>(const Execution&)>&,
                       const Share& share);

} // namespace course::judge
