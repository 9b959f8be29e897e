// A program file, looked at before it is run: can its CUDA calls be answered here?
#pragma once

#include "device/model/known_gpus.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <variant>

namespace course::runtime {

// There is no such program.
struct NotFound {
  enum class Why {
    no_file,
    folder,
    not_executable,
    only_here, // not in PATH, but in the working folder
    not_in_path,
  } why{};
  std::string typed; // as plain text
};

// What a person typed as a program: a path when it has a slash, else a name that is looked for in
// `path`, as a shell would. Gives the file, or why there is none.
std::variant<std::filesystem::path, NotFound> find_program(const std::string& typed,
                                                           const std::string& path);

struct NotRunnable {
  enum class Why {
    unreadable,
    not_compiled, // a script, say
    another_machine,
    needs_gpu,      // `what`: the library that talks to a GPU by itself
    another_cuda,   // `what`: the library of another version
    static_runtime, // CUDA's runtime is linked into it
    no_device_code, // `what`: why there is none that can be executed, a sentence
    damaged,        // `what`: how
  } why{};
  std::string what; // as plain text
};

// Why the program cannot be run; nothing when it can be tried. Never throws for what the file
// contains. `runtime` is the folder with our libcudart.so.13, and what else we have a stand-in for.
std::optional<NotRunnable> why_not_runnable(const std::filesystem::path& program,
                                            const std::filesystem::path& runtime,
                                            const model::Gpu&);

} // namespace course::runtime
