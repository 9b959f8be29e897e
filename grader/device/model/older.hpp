// Bank conflicts on devices before compute capability 5.0, for comparison with today's.
//
// Sources: the chapters on shared memory in NVIDIA's CUDA C Programming Guide for compute
// capability 1.x (16 banks), 2.x and 3.x (32 banks). These devices cannot be measured here. Where
// the guide is silent, the comment says what was chosen.
#pragma once

#include <optional>
#include <string_view>

#include "device/model/request.hpp"

namespace course::model {

enum class Generation : std::uint8_t {
  h200,      // compute capability 9.0, and by the guide every one since 5.0
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

// "h200", "1.x", "2.x", "3.x-4byte", "3.x-8byte", and back.
std::optional<Generation> generation_of(std::string_view name);
std::string_view name_of(Generation);

int banks_of(Generation);
// The bank of a byte offset.
int bank_of(Generation, std::uint32_t offset);
// Shared memory that a block can have at most, in bytes.
std::uint32_t shared_bytes_of(Generation);

// Whether passes can be told: on older devices only those of loads and stores, as the guides say
// nothing about the cost of atomics.
bool has_rule(Generation, Access, int width);

// Passes of a request on that generation; all zero without a rule. `ideal` on the older ones is one
// pass for each group of lanes and each 4-byte request that the access is split into.
Passes shared_passes(Generation, const Request&);

} // namespace course::model
