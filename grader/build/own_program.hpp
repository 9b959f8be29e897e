// A .cu file of the user's own to a program that `course run` can run.
#pragma once

#include "build/compile.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace course::build {

// What nvcc is told beside the target, which is sm_90, or sm_90a where the source needs that: line
// numbers, the runtime as a library.
inline constexpr const char* kProgramFlags[] = {
    "-std=c++17",       "-g",      "-Xcompiler", "-gdwarf-4",
    "-lineinfo",        "-cudart", "shared",     "--expt-relaxed-constexpr",
    "--extended-lambda"};
// Device code as it is written: nothing is taken out that no result needs, so that every store and
// load can be seen. Counts are then those of no program that anybody would run.
inline constexpr const char* kAsWrittenFlags[] = {"-Xcicc", "-O0"};

// Compiles in the user's name, in the working folder, like any nvcc that a person starts: nothing
// is sandboxed, and what nvcc says goes where it goes. `more`: further flags for nvcc. The program
// is put in `folder`; nothing when nvcc refused the file or could not be started.
std::optional<std::filesystem::path> build_program(const Toolkit&, const model::Gpu&,
                                                   const std::filesystem::path& source,
                                                   const std::filesystem::path& folder,
                                                   const std::vector<std::string>& more = {});

// The same in the sandbox, with limits, for a source that nobody vouches for: `folder` has it,
// under the relative name `source`, and all of what it may include beside the toolkit and the
// system's headers. `specific`: it is for sm_90a (specific.hpp), which is not looked up here, since
// the source may include what it likes. Everything that is written stays in the folder.
std::variant<std::filesystem::path, Rejected>
build_contained_program(const Toolkit&, const model::Gpu&, const std::filesystem::path& folder,
                        const std::filesystem::path& source, bool specific,
                        const std::vector<std::string>& more = {});

// Whether nvcc, which passes it through a shell, takes this for one word that is no option.
bool is_plain_word(std::string_view);

} // namespace course::build
