// What a source asks of nvcc. Device code for one architecture alone (sm_90a): what Hopper's matrix
// units and warpgroups need is in no other, and nvcc takes it for that target only.
#pragma once

#include "device/model/known_gpus.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace course::build {

// Whether a source names an instruction that only such a target has (wgmma, setmaxnreg), or is fast
// on (.multicast::cluster, which ptxas warns of for another).
bool needs_specific(std::string_view source);
// Whether nvcc's messages say that one is missing: <cuda/ptx> has it only for such a target, and a
// source calls it without its name, as cp_async_bulk with a mask of blocks.
bool lacks_specific(std::string_view messages);
// The files that a text includes by names in quotes: "tile.cuh".
std::set<std::string> quoted_includes(std::string_view text);

// Of a file and what it includes from beside it.
bool needs_specific_with_includes(const std::filesystem::path& source);

// Whether a source may have lambdas of device code, or lean on what nvcc includes for them:
// <functional>, with half of the standard library, which is a quarter of what a small file takes to
// compile. One that has neither "std" nor a lambda that captures most likely does without:
// compile() tries.
bool may_need_lambdas(std::string_view source);

// For nvcc's -gencode, PTX and machine code: "arch=compute_90,code=[compute_90,sm_90]", or those of
// sm_90a.
std::string targets_of(const model::Gpu&, bool specific);

} // namespace course::build
