// Limits: bounds that an exercise puts on observed numbers, and the checks made of them.
//
// Limits come in pairs (shared traffic has a floor where conflicts have a ceiling), so that the
// shortest way to pass is to do the work. Everything is compared on whole numbers, for each
// execution by itself; a check fails when one execution fails. What a check shows is the failing
// execution with the most elements, or, when all pass, the one with the most elements.
#pragma once

#include "judge/counts.hpp"
#include "judge/execution.hpp"

namespace course::judge {

// The checks. Each is "not measured" where an execution was ended before its numbers were complete,
// and where there is nothing to look at: conflicts without a shared request, say.
Check check_coalescing(Executions); // Bounds::global_loads, global_stores
Check check_traffic(Executions);    // Bounds::shared_loads, shared_stores
Check check_conflicts(Executions);  // Bounds::conflicts

// A check of one number from `Bounds::others`, named after it: those that checks.def says to be
// one. An execution without a bound of that name has no limit.
Check check_counted(Executions, const std::string& metric);

// The number that check_counted looks at, by its name.
std::optional<std::uint64_t> counted_number(const Counts&, const std::string& metric);

// For a check that a device cannot make: never a pass, never a failure.
Check impossible(const std::string& name, facts::Missing why);

// The executions' rows for one seed, the first, added up over shapes.
std::vector<device::LineCounts> lines(Executions);

} // namespace course::judge
