// Checks that an exercise makes of one kind of request, where judge's are too coarse: the loads of
// shared memory without its stores, the stores without asynchronous copies.
#pragma once

#include "lab/exercise.hpp"

#include <functional>
#include <optional>
#include <string>

namespace course::lab {

using CheckOf = std::function<judge::Check(judge::Executions)>;

// Of threads: what stores, be it an atomic or a matrix, but no copy that goes on by itself.
enum class Kind {
  global_memory,
  global_loads,
  shared_memory,
  shared_loads,
  shared_stores,
  shared_stores_of_threads,
  shared_atomics,
};

std::optional<Kind> kind_named(const std::string& name); // "shared_loads"

// Requests of a kind, held against Bounds::others[name]. An execution without a bound of that name
// has no limit.
CheckOf requests_within(const std::string& name, Kind);

// Passes of shared memory for those requests, the same.
CheckOf passes_within(const std::string& name, Kind);

// The first check, and under its name the second one where only that fails.
CheckOf both(CheckOf, CheckOf);

// Conflicts of those requests, held against Bounds::conflicts.
CheckOf conflicts_within(const std::string& name, Kind);

// Conflicts of those requests, which are to be as many as Bounds::others[name] says, no more and no
// less; `where` they come from stands in the message.
CheckOf conflicts_exactly(const std::string& name, Kind kind, const std::string& where);

} // namespace course::lab
