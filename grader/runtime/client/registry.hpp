// What the program's constructors registered: its device code, kernels and variables, by the host
// addresses that stand for them.
#pragma once

#include "runtime/client/grader.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

namespace course::client {

struct Module {
  cudaError_t status = cudaSuccess; // of loading it
  std::uint32_t id = 0;
};

struct Kernel {
  const Module* module = nullptr;
  std::string name;                        // mangled
  std::atomic<bool> large_clusters{false}; // it was allowed clusters that are not portable

  // What the grader said of it, asked at the first use.
  std::once_flag asked;
  cudaError_t status = cudaSuccess;
  protocol::Kernel info;
};

struct Variable {
  const Module* module = nullptr;
  std::string name;

  std::once_flag asked;
  cudaError_t status = cudaSuccess;
  protocol::Symbol info;
};

// The kernel that `function` stands for: the host function's address, or a handle from
// cudaGetKernel. nullptr after an error, which `status` is set to. With a kernel, its `info` is
// there.
Kernel* find_kernel(const char* call, const void* function, cudaError_t& status);

// The variable that `symbol` stands for, likewise.
Variable* find_variable(const char* call, const void* symbol, cudaError_t& status);

// A module that the program loads by itself: the container of a fat binary, PTX, or machine code.
// `status` says whether it could be. Its kernels and variables are handles, for the two above.
Module* load_module(const char* call, const void* image, cudaError_t& status);
Kernel* kernel_in(const Module&, const std::string& name);
Variable* variable_in(const Module&, const std::string& name);

// Whether that is a variable's stand-in in host memory, which no plain copy can use.
bool is_variable(const void* symbol);

// Of a host function only; nullptr when none was registered.
Kernel* registered_kernel(const void* function);

} // namespace course::client
