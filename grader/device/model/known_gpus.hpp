// The GPUs that code is compiled for and executed as, each a value: whoever compiles, records or
// executes is given one.
//
// Adding one is adding a value to known_gpus.cpp, with what was measured of it.
#pragma once

#include "device/model/architecture.hpp"
#include "device/model/rates.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace course::model {

// What one streaming multiprocessor has room for.
struct MultiprocessorLimits {
  int threads_a_block = 0;
  int threads = 0;
  int blocks = 0;
  int registers = 0; // a block may have as many
  int registers_a_thread = 0;
  int partitions = 0;
  std::uint64_t shared_bytes = 0;
  std::uint64_t shared_bytes_a_block = 0; // static and dynamic, after opting in
  std::uint64_t shared_bytes_without_opt_in = 0;
  std::uint64_t reserved_shared_bytes_a_block = 0;
  std::array<std::uint32_t, 10> shared_kib{}; // what of its L1 can be shared memory, rising
};

// What cudaDeviceGetAttribute says.
struct Attribute {
  std::string_view name; // "cudaDevAttrMaxThreadsPerBlock"
  int value = 0;
};

struct Gpu {
  Architecture architecture;          // with its name: "h200"
  std::string_view model;             // as its maker calls it, without the maker: "H200"
  std::string_view target;            // of nvcc's code: "sm_90"
  std::string_view virtual_target;    // of its PTX: "compute_90"
  std::uint32_t compute_capability{}; // 90 for 9.0
  std::uint32_t multiprocessors{};
  std::uint32_t portable_cluster{}, largest_cluster{};  // blocks
  std::uint64_t memory{};                               // bytes
  std::array<std::uint32_t, 3> block_dim{}, grid_dim{}; // at most
  MultiprocessorLimits multiprocessor;
  Rates rates;
  std::span<const Attribute> attributes;

  // "NVIDIA H200", "emulated H200"
  std::string product() const { return "NVIDIA " + std::string(model); }
  std::string emulated() const { return "emulated " + std::string(model); }
  std::optional<int> attribute(std::string_view name) const;

  // The same, with `kib` of shared memory on a multiprocessor, of which a block may have all but
  // what is reserved: for programs that ask what there is.
  Gpu with_shared_memory(std::uint32_t kib) const;
};

std::span<const Gpu* const> known_gpus();
const Gpu* gpu_named(std::string_view name); // nullptr: none

// A known GPU, or one of those with other shared memory, in words that a process passes to another:
// "h200", "h200 164".
std::string told(const Gpu&);
std::optional<Gpu> gpu_told(std::string_view words);

// The one that the course is about, and that is meant where nobody names another.
const Gpu& default_gpu();

} // namespace course::model
