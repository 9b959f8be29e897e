// A file of the course, or a student's, made ready for a device: compiled, and its launcher called
// for one shape.
#pragma once

#include "judge/ended.hpp"
#include "lab/grade.hpp"

#include <filesystem>
#include <variant>

namespace course::lab {

// Modules, plan and budget, without inputs, for operands that lie with `tools.guard` around each;
// or why there is nothing to execute.
std::variant<device::Job, judge::Fault> job_for(const Exercise&, const Case&,
                                                const std::filesystem::path& source, const Tools&);
// The same of a file that is compiled already.
std::variant<device::Job, judge::Fault> job_for(const Exercise&, const Case&,
                                                const build::Compiled&, const Tools&);

} // namespace course::lab
