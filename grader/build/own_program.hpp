// A .cu file of the user's own to a program that `course run` can run.
#pragma once

#include "build/compile.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace course::build {

// What nvcc is told beside the target, which is sm_90, or sm_90a where the source needs that: line
// numbers, the runtime as a library.
inline constexpr const char* kProgramFlags[] = {
    "-std=c++17",       "-lineinfo", "-cudart", "shared", "--expt-relaxed-constexpr",
    "--extended-lambda"};
// Device code as it is written: nothing is taken out that no result needs, so that every store and
// load can be seen. Counts are then those of no program that anybody would run.
inline constexpr const char* kAsWrittenFlags[] = {"-Xcicc", "-O0"};

// Compiles in the user's name, in the working folder, like any nvcc that a person starts: nothing
// is sandboxed, and what nvcc says goes where it goes. `more`: further flags for nvcc. The program
// is put in `folder`; nothing when nvcc refused the file or could not be started.
std::optional<std::filesystem::path> build_program(const Toolkit&,
                                                   const std::filesystem::path& source,
                                                   const std::filesystem::path& folder,
                                                   const std::vector<std::string>& more = {});

} // namespace course::build
