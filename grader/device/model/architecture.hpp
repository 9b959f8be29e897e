// A GPU as the course knows it: the rules of its banks, and what there is room for.
//
// Adding one is adding a value here and to architectures(), with what was measured of it; a rule of
// its own is a kind, and stands in older.cpp or shared.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace course::model {

enum class BankRule : std::uint8_t {
  since_5_0, // as measured on an H200, and by the guide on every device since 5.0: shared.hpp
  cc1,       // 1.x: half-warps, 16 banks; a step broadcasts one word and serves one lane of each
             // other bank. Which word is open: here the one most wanted in the fullest bank. Wider
             // accesses are split into 4-byte requests.
  cc2,       // 2.x: 32 banks, every word is broadcast; 8 bytes by half-warps. 16 bytes: the guide
             // gives only a bound; here by quarter-warps, as on later devices.
  cc3_4byte, // 3.x, 4-byte mode: 32 banks of 8 bytes; words i and i + 32 of an aligned segment of
             // 64 words come together
  cc3_8byte, // 3.x, 8-byte mode: 32 banks of 8 bytes, successive 8-byte words in successive banks.
             // Both modes serve 16-byte accesses by half-warps (not in the guide: a pass carries
             // 256 bytes).
};

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

struct Architecture {
  std::string_view name;       // as a person types it: "h200"
  std::string_view title;      // in words, with where its rules are from
  std::string_view model = {}; // as its maker calls it, without the maker: "H200"
  BankRule rule{};
  int banks = 32;
  std::uint32_t bank_unit = 4;  // bytes after which the next bank comes
  std::uint32_t bank_bytes = 4; // that a bank gives in a pass

  // Of those that code is compiled for and executed as. Of the others there are banks alone, and
  // the shared memory that a block can have.
  std::string_view target = {};         // of nvcc's code: "sm_90"
  std::string_view virtual_target = {}; // of its PTX: "compute_90"
  std::uint32_t compute_capability = 0; // 90 for 9.0
  std::uint32_t multiprocessors = 0;
  std::uint32_t portable_cluster = 0, largest_cluster = 0; // blocks
  std::uint64_t memory = 0;                                // bytes
  std::array<std::uint32_t, 3> block_dim{}, grid_dim{};    // at most
  MultiprocessorLimits multiprocessor{};

  // "NVIDIA H200", "emulated H200"
  std::string product() const { return "NVIDIA " + std::string(model); }
  std::string emulated() const { return "emulated " + std::string(model); }
  bool operator==(const Architecture& other) const { return name == other.name; }
};

// Limits: cudaDeviceGetAttribute on an H200 (driver 580, CUDA 13.0); runtime/client/attributes.def
// has all of the attributes. Clusters and parts of the L1: CUDA C++ Programming Guide, compute
// capability 9.0.
inline constexpr Architecture kH200 = {
    .name = "h200",
    .title = "H200, compute capability 9.0",
    .model = "H200",
    .rule = BankRule::since_5_0,
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
                       .shared_kib = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}}};

// For comparison. Sources: the chapters on shared memory in NVIDIA's CUDA C Programming Guide for
// compute capability 1.x, 2.x and 3.x. These devices cannot be measured here; where the guide is
// silent, the comment of the rule says what was chosen.
inline constexpr Architecture k1x = {.name = "1.x",
                                     .title = "compute capability 1.x, by the guide",
                                     .rule = BankRule::cc1,
                                     .banks = 16,
                                     .multiprocessor = {.shared_bytes_a_block = 16 * 1024}};
inline constexpr Architecture k2x = {.name = "2.x",
                                     .title = "compute capability 2.x, by the guide",
                                     .rule = BankRule::cc2,
                                     .multiprocessor = {.shared_bytes_a_block = 48 * 1024}};
inline constexpr Architecture k3x4Byte = {.name = "3.x-4byte",
                                          .title =
                                              "compute capability 3.x, 4-byte banks, by the guide",
                                          .rule = BankRule::cc3_4byte,
                                          .bank_bytes = 8,
                                          .multiprocessor = {.shared_bytes_a_block = 48 * 1024}};
inline constexpr Architecture k3x8Byte = {.name = "3.x-8byte",
                                          .title =
                                              "compute capability 3.x, 8-byte banks, by the guide",
                                          .rule = BankRule::cc3_8byte,
                                          .bank_unit = 8,
                                          .bank_bytes = 8,
                                          .multiprocessor = {.shared_bytes_a_block = 48 * 1024}};

inline constexpr std::array kArchitectures = {&kH200, &k1x, &k2x, &k3x4Byte, &k3x8Byte};

const Architecture* architecture_named(std::string_view name); // nullptr: none
std::vector<std::string> architecture_names();

// The bank of a byte offset.
int bank_of(const Architecture&, std::uint32_t offset);

} // namespace course::model
