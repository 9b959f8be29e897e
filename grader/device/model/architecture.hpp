// The rules of a device's banks. Of the GPUs that code is executed as there is more:
// known_gpus.hpp.
//
// A rule of its own is a BankRule, and stands in older.cpp or shared.cpp.
#pragma once

#include <cstdint>
#include <span>
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

struct Architecture {
  std::string_view name = {};  // as a person types it: "h200"
  std::string_view title = {}; // in words, with where its rules are from
  BankRule rule{};
  int banks = 32;
  std::uint32_t bank_unit = 4;            // bytes after which the next bank comes
  std::uint32_t bank_bytes = 4;           // that a bank gives in a pass
  std::uint64_t shared_bytes_a_block = 0; // static and dynamic, at most
  bool tensor_maps = false;               // so that a tile may be swizzled
};

// For comparison. Sources: the chapters on shared memory in NVIDIA's CUDA C Programming Guide for
// compute capability 1.x, 2.x and 3.x. These devices cannot be measured here; where the guide is
// silent, the comment of the rule says what was chosen.
inline constexpr Architecture k1x = {.name = "1.x",
                                     .title = "compute capability 1.x, by the guide",
                                     .rule = BankRule::cc1,
                                     .banks = 16,
                                     .shared_bytes_a_block = 16 * 1024};
inline constexpr Architecture k2x = {.name = "2.x",
                                     .title = "compute capability 2.x, by the guide",
                                     .rule = BankRule::cc2,
                                     .shared_bytes_a_block = 48 * 1024};
inline constexpr Architecture k3x4Byte = {.name = "3.x-4byte",
                                          .title =
                                              "compute capability 3.x, 4-byte banks, by the guide",
                                          .rule = BankRule::cc3_4byte,
                                          .bank_bytes = 8,
                                          .shared_bytes_a_block = 48 * 1024};
inline constexpr Architecture k3x8Byte = {.name = "3.x-8byte",
                                          .title =
                                              "compute capability 3.x, 8-byte banks, by the guide",
                                          .rule = BankRule::cc3_8byte,
                                          .bank_unit = 8,
                                          .bank_bytes = 8,
                                          .shared_bytes_a_block = 48 * 1024};

// Those of the known GPUs (known_gpus.hpp), then the older ones.
std::span<const Architecture* const> architectures();

const Architecture* architecture_named(std::string_view name); // nullptr: none
std::vector<std::string> architecture_names();

// The bank of a byte offset.
int bank_of(const Architecture&, std::uint32_t offset);

} // namespace course::model
