// nvcc in the sandbox, in two steps.
//
// The first makes device code, and host code as C++: what runs is the preprocessor, NVIDIA's front
// end and its assembler. Whatever assembly or sections the file's host code has, they are text
// until the second step, which makes a library of the C++. So the fat binary of the first step is
// of this file only, and internal names agree between both, since one front end wrote them.
#pragma once

#include "build/compile.hpp"
#include "build/nvcc_messages.hpp"

namespace course::build {

inline constexpr const char* kDependencies = "dependencies.d"; // beside the source's copy

inline constexpr const char* kHostCode = "host_code.cpp"; // what the first step hands the second
inline constexpr const char* kLibrary = "library.so";

// The fat binary that the first step makes of a source of this name.
std::string fatbin_name(const Options&, const std::string& copy);

// Arguments after the program's name. They decide the result, and belong into its key.
std::vector<std::string> device_arguments(const Options&, const std::string& copy);
std::vector<std::string> library_arguments(const Options&);

sandbox::Outcome run_nvcc(const Toolkit&, const Options&, const std::vector<std::string>& arguments,
                          const Seen&);

// Why a run gave no result; nothing when nvcc was content.
std::optional<Rejected> rejection(const sandbox::Outcome&, const sandbox::Limits&, const Seen&);

} // namespace course::build
