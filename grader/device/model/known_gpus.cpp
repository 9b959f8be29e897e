#include "device/model/known_gpus.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

namespace course::model {
namespace {

constexpr Attribute kAttributesOfH200[] = {
#define COURSE_DEVICE_ATTRIBUTE(name, value) {#name, value},
#include "device/model/h200_attributes.def"
#undef COURSE_DEVICE_ATTRIBUTE
};

// Limits: cudaDeviceGetAttribute on an H200 (driver 580, CUDA 13.0). Clusters and parts of the L1:
// CUDA C++ Programming Guide, compute capability 9.0.
//
// Rates: measured (book/data/h200): clocks left alone; shared_atomics.csv and cycles.csv have
// passes of 1.00 cycles; a sum of 2^28 ints reads 4.46 TB/s (bench.json), faster than any copy;
// stores of 16 bytes a lane by all multiprocessors, each to its own part of what the second-level
// cache holds, came to 17.9 bytes a cycle.
constexpr Gpu kH200 = {
    .architecture = {.name = "h200",
                     .title = "H200, compute capability 9.0",
                     .rule = BankRule::since_5_0,
                     .shared_bytes_a_block = 227 * 1024,
                     .tensor_maps = true},
    .model = "H200",
    .target = "sm_90",
    .virtual_target = "compute_90",
    .compute_capability = 90,
    .multiprocessors = 132,
    .portable_cluster = 8,
    .largest_cluster = 16,
    .memory = 150'109'880'320,
    .block_dim = {1024, 1024, 64},
    .grid_dim = {2147483647, 65535, 65535},
    .multiprocessor = {.threads_a_block = 1024,
                       .threads = 2048,
                       .blocks = 32,
                       .registers = 65536,
                       .registers_a_thread = 255,
                       .partitions = 4,
                       .shared_bytes = 228 * 1024,
                       .shared_bytes_a_block = 227 * 1024,
                       .shared_bytes_without_opt_in = 48 * 1024,
                       .reserved_shared_bytes_a_block = 1024,
                       .shared_kib = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}},
    .rates = {.cycles_a_second = 1.98e9,
              .multiprocessors = 132,
              .instructions = 4,
              .passes = 1,
              .loaded_sectors = 4,
              .stored_sectors = 17.9 / 32,
              .memory = 4.46e12},
    .attributes = kAttributesOfH200};

// What attributes say of limits that with_shared_memory() changes.
std::optional<int> of_shared_memory(const MultiprocessorLimits& sm, std::string_view name) {
  if (name == "cudaDevAttrMaxSharedMemoryPerMultiprocessor")
    return static_cast<int>(sm.shared_bytes);
  if (name == "cudaDevAttrMaxSharedMemoryPerBlockOptin")
    return static_cast<int>(sm.shared_bytes_a_block);
  return std::nullopt;
}

constexpr std::array<const Gpu*, 1> kGpus = {&kH200}; // the first is that of the course

} // namespace

std::optional<int> Gpu::attribute(std::string_view name) const {
  if (const auto limit = of_shared_memory(multiprocessor, name)) return limit;
  const auto found = std::ranges::find(attributes, name, &Attribute::name);
  return found == attributes.end() ? std::nullopt : std::optional(found->value);
}

Gpu Gpu::with_shared_memory(std::uint32_t kib) const {
  Gpu other = *this;
  auto& sm = other.multiprocessor;
  sm.shared_bytes = std::uint64_t{kib} << 10;
  sm.shared_bytes_a_block = sm.shared_bytes - sm.reserved_shared_bytes_a_block;
  for (auto& size : sm.shared_kib) size = std::min(size, kib);
  sm.shared_kib.back() = kib;
  other.architecture.shared_bytes_a_block = sm.shared_bytes_a_block;
  return other;
}

std::string told(const Gpu& gpu) {
  const std::string name(gpu.architecture.name);
  const auto* known = gpu_named(name);
  const auto bytes = gpu.multiprocessor.shared_bytes;
  if (known && known->multiprocessor.shared_bytes == bytes) return name;
  return name + ' ' + std::to_string(bytes >> 10);
}

std::optional<Gpu> gpu_told(std::string_view words) {
  const auto space = words.find(' ');
  const auto* known = gpu_named(words.substr(0, space));
  if (!known) return std::nullopt;
  if (space == words.npos) return *known;
  const auto number = words.substr(space + 1);
  std::uint32_t kib = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), kib);
  if (error != std::errc{} || end != number.data() + number.size() || kib == 0) return std::nullopt;
  return known->with_shared_memory(kib);
}

std::span<const Gpu* const> known_gpus() {
  return kGpus;
}

const Gpu* gpu_named(std::string_view name) {
  for (const auto* one : kGpus)
    if (one->architecture.name == name) return one;
  return nullptr;
}

const Gpu& default_gpu() {
  return *kGpus.front();
}

std::span<const Architecture* const> architectures() {
  static const auto all = [] {
    std::vector<const Architecture*> made;
    for (const auto* gpu : kGpus) made.push_back(&gpu->architecture);
    made.insert(made.end(), {&k1x, &k2x, &k3x4Byte, &k3x8Byte});
    return made;
  }();
  return all;
}

} // namespace course::model
