// What an answer is made of: whether it does the work by what the exercise is about.
//
// A right output, few sectors and no conflicts can be had without the subject. So the shapes whose
// data are followed (device/way.hpp) are asked whether their values came by it, and how often what
// leaves no trace in a value was executed.
#pragma once

#include "judge/execution.hpp"

#include <span>

namespace course::judge {

// `ways` of the output's bytes; each element has `bytes` of them.
UsesTaken uses_taken(const UsesBound&, std::span<const device::Way> ways, std::uint64_t bytes,
                     const device::UsedCounts& counts);

// Fails where an execution is not made of what Bounds::uses asks for; not measured where none was
// followed.
Check check_uses(const std::string& name, Executions);

} // namespace course::judge
