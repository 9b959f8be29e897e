#include "cli/program_words.hpp"

#include "language/translate.hpp"

namespace course::cli {

std::string in_words(const runtime::NotFound& found) {
  using Why = runtime::NotFound::Why;
  const auto& shown = found.typed;
  switch (found.why) {
  case Why::no_file:
    return tr("{}: there is no such file", shown);
  case Why::folder:
    return tr("{} is a folder", shown);
  case Why::not_executable:
    return tr("{} is not executable; if it is a program: chmod +x {}", shown, shown);
  case Why::only_here:
    return tr("no program {} in PATH; the one in this folder is ./{}", shown, shown);
  case Why::not_in_path:
    return tr("no program {} in PATH", shown);
  }
  return "";
}

std::string in_words(const runtime::NotRunnable& found) {
  using Why = runtime::NotRunnable::Why;
  switch (found.why) {
  case Why::unreadable:
    return tr("it cannot be read");
  case Why::not_compiled:
    return tr("it is not a compiled program. Give the program that nvcc made; a script can call "
              "course run itself");
  case Why::another_machine:
    return tr("it is a program for another kind of computer");
  case Why::needs_gpu:
    return tr("it needs {}, which talks to a GPU by itself and is not emulated. Use a "
              "kernel of your own in its place, or run the program on a GPU.",
              found.what);
  case Why::another_cuda:
    return tr("it was built for another version of CUDA ({}). Build it with CUDA 13: "
              "nvcc -cudart shared -arch=sm_90",
              found.what);
  case Why::static_runtime:
    return tr("CUDA's runtime is linked into it, so its calls cannot be answered here. Build it "
              "with nvcc -cudart shared -arch=sm_90");
  case Why::no_device_code:
    return found.what;
  case Why::damaged:
    return tr("it is damaged: {}", found.what);
  }
  return "";
}

} // namespace course::cli
