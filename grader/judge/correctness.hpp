// Checks of right and wrong: the kernel ends, the output is right, memory is used well.
#pragma once

#include "judge/execution.hpp"

namespace course::judge {

// Each is "not measured" where an execution was ended before it could be seen.
Check
    check_kernel(Executions); // every kernel ended by itself, and in reasonable time: Bounds::cost
Check check_output(Executions); // every element is right
// Findings of the memory checker, and damage. Notes are allowed but where an exercise forbids them.
enum class Notes { allowed, forbidden };
Check check_memory(Executions, Notes);
Check check_memory(Executions); // allowed

} // namespace course::judge
