// One .cu file to a shared library with its host code, its PTX and a cubin, by nvcc, cached.
//
// nvcc runs in the sandbox, on a copy of the source in an empty folder, so that it reads the
// toolkit, the system's headers and the student's file, and nothing else. Results are kept under
// `cache`, keyed by the content and name of the source, the flags, and the identity of the toolkit
// and the host compiler, and hold while every header that is not the toolkit's is unchanged. The
// same text compiles once.
//
// The source is one regular file. A symbolic link is refused, because the grader would follow it
// with the grader's rights: a link to a solution would be graded as one, and a link to a private
// file would be printed in the messages. Links among the folders above it are followed.
#pragma once

#include "device/device.hpp"
#include "device/model/known_gpus.hpp"
#include "sandbox/process.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace course::build {

// Bytes of a student's file; no honest one comes near.
inline constexpr std::uint64_t kLargestSource = 1 << 20;

struct Toolkit {
  std::filesystem::path root; // "/usr/local/cuda-13.0", without links
  std::filesystem::path nvcc;
  std::string version; // "13.0.88"
};

// nvcc below $CUDA_HOME or $CUDA_PATH, in PATH, or in /usr/local/cuda; nothing where there is none.
std::optional<Toolkit> find_toolkit();

// Far beyond what the largest honest exercise needs.
sandbox::Limits compiler_limits();

struct Options {
  std::vector<std::string> flags;       // after the project's own
  bool device_only = false;             // no host code: PTX and cubin in a third of the time
  std::filesystem::path cache;          // folder; created when missing
  std::vector<std::string> gpu_targets; // cubins beside that, such as "sm_120"
  bool extended_lambda = true;          // compile() leaves it out for a source that does without
  bool specific = false; // for sm_90a, say, alone; compile() sets it for a source that needs it
  sandbox::Limits limits = compiler_limits();
  std::optional<sandbox::Rung> rung; // what contains nvcc; when empty, the best there is
  const model::Gpu* gpu = &model::default_gpu(); // that device code is for
};

struct Compiled {
  std::filesystem::path library;       // in the cache; empty when device_only
  std::vector<device::Module> modules; // the PTX names the source by its own file name
  std::vector<std::string>
      functions;        // host functions it defines, demangled: "transpose(float*, …)"
  std::string warnings; // what nvcc printed, paths cleaned
  bool from_cache = false;
  double seconds = 0; // of nvcc; 0 from the cache
};

struct Rejected {
  enum class Reason { diagnostics, timed_out, too_large, out_of_memory, unreadable, no_compiler };
  Reason reason{};
  // nvcc's own words with the student's file name, control bytes removed, in UTF-8; for the other
  // reasons than `diagnostics`, what happened, to follow a colon.
  std::string text;
};

// Whatever the source holds, the answer is one of the two. Throws std::filesystem::filesystem_error
// when the cache cannot be written.
std::variant<Compiled, Rejected> compile(const Toolkit&, const std::filesystem::path& source,
                                         const Options&);

} // namespace course::build
