// One .cu file to a shared library with its host code, its PTX and a cubin, by nvcc, cached.
//
// nvcc runs in the sandbox, on a copy of the source in an empty folder, so that it can read the
// toolkit and the student's file and nothing else. Results are kept under `cache`, keyed by the
// content of the source, of every header it includes that is not the toolkit's, the flags, the host
// compiler and the toolkit; the same text compiles once.
#pragma once

#include "device/device.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace course::build {

struct Toolkit {
  std::filesystem::path root; // "/usr/local/cuda-13.0"
  std::filesystem::path nvcc;
  std::string version; // "13.0.88"
};

// nvcc from $CUDA_HOME, $CUDA_PATH, PATH, or /usr/local/cuda; nothing where there is none.
std::optional<Toolkit> find_toolkit();

struct Options {
  std::vector<std::string> flags;       // after the project's own
  bool device_only = false;             // no host code: PTX and cubin in a third of the time
  std::filesystem::path cache;          // folder; created when missing
  std::vector<std::string> gpu_targets; // cubins beside sm_90, such as "sm_120"
};

struct Compiled {
  std::filesystem::path library; // in the cache; empty when device_only
  std::vector<device::Module> modules;
  std::vector<std::string>
      functions;        // host functions it defines, demangled: "transpose(float*, …)"
  std::string warnings; // what nvcc printed, paths cleaned
  bool from_cache = false;
  double seconds = 0; // of nvcc; 0 from the cache
};

struct Rejected {
  enum class Reason { diagnostics, timed_out, too_large, out_of_memory, unreadable, no_compiler };
  Reason reason{};
  std::string text; // nvcc's own words with the student's file name, control bytes removed
};

// Never throws for what the source does; std::filesystem::filesystem_error when the cache cannot be
// written.
std::variant<Compiled, Rejected> compile(const Toolkit&, const std::filesystem::path& source,
                                         const Options&);

} // namespace course::build
