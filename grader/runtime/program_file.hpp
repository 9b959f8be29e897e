// A program file, looked at before it is run: can its CUDA calls be answered here?
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>

namespace course::runtime {

// What a person typed as a program: a path when it has a slash, else a name that is looked for in
// `path`, as a shell would. Gives the file, or why there is none.
std::variant<std::filesystem::path, std::string> find_program(const std::string& typed,
                                                              const std::string& path);

// Why the program cannot be run, and what to do, in a sentence or two; nothing when it can be
// tried. Never throws for what the file contains.
std::optional<std::string> why_not_runnable(const std::filesystem::path& program);

} // namespace course::runtime
