// What a compilation depends on beside its source: the toolkit and the host compiler.
#pragma once

#include "build/compile.hpp"

namespace course::build {

// $CUDA_HOME, $CUDA_PATH and $PATH as given; empty when not set.
struct Places {
  std::string cuda_home, cuda_path, path;
  std::filesystem::path usual = "/usr/local/cuda";
};
std::optional<Toolkit> find_toolkit(const Places&);

// Text that changes when one of the compiler's programs does. Programs are told apart by path, size
// and time: reading them all would take longer than compiling.
std::string identity(const Toolkit&);
std::string host_compiler_identity();

// Where the sandboxed nvcc finds its host compiler.
inline constexpr const char* kHostPath = "/usr/bin:/bin";

} // namespace course::build
