// What PTX asks of the GPU that it is for, and the same PTX made ready for an older one.
//
// nvcc's PTX names one target, and no GPU before that one takes it, whatever is in it. But most
// kernels have no instruction that came with the target: with an earlier one named, the same text
// is as good, and a driver compiles it. So what an older GPU executes is what was compiled, checked
// and counted for the H200, instruction by instruction, and not another compilation, in which a
// file could have other code (__CUDA_ARCH__).
#pragma once

#include "device/code/ptx/module.hpp"

#include <string>

namespace course::ptx {

struct Needs {
  int capability = 0;      // 80 for 8.0; 0: nothing later than 7.0
  bool alone = false;      // and no later GPU has it
  std::string instruction; // "cp.async.cg.shared.global", or what a kernel is declared to be
  SourceLine source;
};

// The highest of all functions, since a driver compiles a module as a whole; the first of those in
// the text.
Needs needs_of(const Module&);

// The same text with an earlier target, and an earlier version of PTX, named where it names later
// ones. `capability`: 75 for 7.5. `version`: 84 for 8.4, the latest that a driver knows. Code for
// one GPU alone is named so on that one only.
std::string for_gpu(const std::string& ptx, int capability, int version);

// The latest version of PTX that a driver knows, by the version of CUDA that it serves: 13000 for
// 13.0. Source: "Release Notes" in PTX ISA 9.0.
int version_of_driver(int cuda);

} // namespace course::ptx
