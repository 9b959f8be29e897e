// What host code may ask about device code: kernels with their parameters and resources, symbols.
//
// The recording runtime answers cudaFuncGetAttributes, launches and symbol copies from this, so
// that it need not know PTX. The emulated device's front end fills it in.
#pragma once

#include "device/device.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace course::device {

struct KernelInfo {
  std::string name; // as in the PTX, mangled

  // Bytes. A launch's arguments are one block of `argument_bytes`; parameter i is the
  // parameter_sizes[i] bytes from parameter_offsets[i]. Both have one element a parameter.
  std::vector<std::uint32_t> parameter_offsets;
  std::vector<std::uint32_t> parameter_sizes;
  std::uint32_t argument_bytes = 0;

  std::uint32_t static_shared = 0; // bytes a block
  std::uint32_t max_threads = 0;   // a block, from __launch_bounds__; 0 when it has none
  std::uint32_t registers = 0;     // a thread, from the cubin; 0 when unknown
  std::uint32_t local = 0;         // bytes a thread, from the cubin; 0 when unknown
};

struct SymbolInfo { // a __device__ or __constant__ variable
  std::string name; // as in the PTX
  std::uint64_t size = 0;
  bool constant = false;
};

struct ModuleInfo {
  std::vector<KernelInfo> kernels;
  std::vector<SymbolInfo> symbols;
  std::string error; // one sentence when the module could not be read; then both lists are empty

  const KernelInfo* kernel(std::string_view name) const { // nullptr when there is none
    for (const auto& k : kernels) {
      if (k.name == name) return &k;
    }
    return nullptr;
  }
  const SymbolInfo* symbol(std::string_view name) const { // nullptr when there is none
    for (const auto& s : symbols) {
      if (s.name == name) return &s;
    }
    return nullptr;
  }
};

// Never throws for what the module contains. Defined by the emulated device (device/emulator).
ModuleInfo inspect(const Module&);

} // namespace course::device
