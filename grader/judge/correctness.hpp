// Checks of right and wrong: the kernel ends, the output is right, memory is used well.
#pragma once

#include "judge/execution.hpp"

namespace course::judge {

// Each is "not measured" where an execution was ended before it could be seen.
Check
    check_kernel(Executions); // every kernel ended by itself, and in reasonable time: Bounds::cost
Check check_output(Executions); // every element is right
Check check_memory(Executions); // findings of the memory checker, damage

} // namespace course::judge
