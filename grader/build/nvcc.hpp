// One run of nvcc in the sandbox.
#pragma once

#include "build/compile.hpp"
#include "build/messages.hpp"

namespace course::build {

inline constexpr const char* kDependencies = "dependencies.d"; // beside the source's copy

// What nvcc makes: a library, or with Options::device_only a fat binary.
std::string output_name(const Options&);

// Arguments after the program's name. They decide the result, and belong into its key.
std::vector<std::string> nvcc_arguments(const Options&, const std::string& copy);

sandbox::Outcome run_nvcc(const Toolkit&, const Options&, const Seen&);

// Why a run gave no result; nothing when nvcc was content.
std::optional<Rejected> rejection(const sandbox::Outcome&, const sandbox::Limits&, const Seen&);

} // namespace course::build
