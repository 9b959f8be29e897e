// Device code for one architecture alone (sm_90a): what Hopper's matrix units and warpgroups need
// is in no other, and nvcc takes it for that target only.
#pragma once

#include "device/model/architecture.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace course::build {

// Whether a source names an instruction that only such a target has: wgmma, setmaxnreg.
bool needs_specific(std::string_view source);
// Of a file and what it includes from beside it.
bool needs_specific_with_includes(const std::filesystem::path& source);

// For nvcc's -gencode, PTX and machine code: "arch=compute_90,code=[compute_90,sm_90]", or those of
// sm_90a.
std::string targets_of(const model::Architecture&, bool specific);

} // namespace course::build
