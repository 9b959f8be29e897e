// What an exercise does not say, asked of its solution: the right answer, and limits.
//
// The solution is compiled as a student's file is, and executed on the emulated device. A limit is
// what it costs in that shape, and room: a tenth more conflicts, sectors, and of any number that
// judge counts; between half and one and a half times its traffic; eight times its instructions
// and requests before a kernel is ended as too slow.
#pragma once

#include "lab/grade.hpp"

#include <optional>
#include <string>
#include <vector>

namespace course::lab {

// Whether the right answer is what the solution computes: nothing can be graded without it.
bool is_answered_by_solution(const Exercise&);

// What cannot be judged where the solution is not to be had: limits, by the names of their checks.
// Nothing where it is there, and where it is needed for the answer as well.
std::vector<std::string> limits_unknown(const Exercise&);

// Fills in Case::reference and Case::bounds of those that ask for something, or says that the
// solution cannot be compiled, or does not come to its end. References keep `tools.device`.
std::optional<judge::EndedBy> ask_solution(const Exercise&, std::vector<Case>&, std::uint64_t seed,
                                           const Tools& tools);

} // namespace course::lab
