#include "device/model/older.hpp"

#include <algorithm>

#include "device/model/fullest_bank.hpp"
#include "device/model/shared.hpp"

namespace course::model {
namespace {

constexpr int kBanksOf1x = k1x.banks;

// What is left of a half-warp's 4-byte request on 1.x.
struct HalfWarp {
  std::array<std::uint32_t, kLanes / 2> word{};
  int count = 0;

  static int bank(std::uint32_t word) { return word % kBanksOf1x; }
};

// The most wanted word of the bank that most lanes want.
std::uint32_t broadcast_word(const HalfWarp& half) {
  std::array<int, kBanksOf1x> lanes{};
  for (int i = 0; i < half.count; ++i) ++lanes[HalfWarp::bank(half.word[i])];
  const int fullest = *std::max_element(lanes.begin(), lanes.end());
  std::uint32_t chosen = half.word[0];
  int most = 0;
  for (int i = 0; i < half.count; ++i) {
    if (lanes[HalfWarp::bank(half.word[i])] < fullest) continue;
    const int wanting = static_cast<int>(
        std::count(half.word.begin(), half.word.begin() + half.count, half.word[i]));
    if (wanting > most) {
      most = wanting;
      chosen = half.word[i];
    }
  }
  return chosen;
}

// One step: the broadcast word to all that want it, and one lane of each other bank.
HalfWarp after_a_step(const HalfWarp& half) {
  const std::uint32_t broadcast = broadcast_word(half);
  std::uint32_t served = 1u << HalfWarp::bank(broadcast);
  HalfWarp left;
  for (int i = 0; i < half.count; ++i) {
    const std::uint32_t bank = 1u << HalfWarp::bank(half.word[i]);
    if (half.word[i] != broadcast && (served & bank)) left.word[left.count++] = half.word[i];
    served |= bank;
  }
  return left;
}

// `part`: which of the words of an 8- or 16-byte access.
Passes half_warp_on_1x(const Request& request, int first_lane, int part) {
  HalfWarp half;
  const std::uint32_t first_word_mask = ~static_cast<std::uint32_t>(words_a_lane(request) - 1);
  for (int lane = first_lane; lane < first_lane + kLanes / 2; ++lane)
    if (request.active >> lane & 1)
      half.word[half.count++] = (request.offset[lane] / kWordBytes & first_word_mask) + part;
  if (half.count == 0) return {};
  int steps = 0;
  for (; half.count > 0; half = after_a_step(half)) ++steps;
  return {steps, 1, steps};
}

Passes passes_on_1x(const Request& request) {
  Passes passes;
  for (int first : {0, kLanes / 2})
    for (int part = 0; part < words_a_lane(request); ++part) {
      const Passes half = half_warp_on_1x(request, first, part);
      passes.wavefronts += half.wavefronts;
      passes.ideal += half.ideal;
      passes.ways = std::max(passes.ways, half.ways);
    }
  return passes;
}

int older_unit_shift(int words) {
  return words == 4 ? 4 : words == 2 ? 3 : 2;
}

// Devices that give every word of a pass to all lanes that want it: `groups` groups of lanes,
// `columns` banks, or pairs or fours of banks, of units of 2^`shift` bytes.
Passes by_groups(const Request& request, int groups, int shift, int columns) {
  const int lanes_in_group = kLanes / groups;
  Passes passes;
  for (int group = 0; group < groups; ++group) {
    std::uint32_t lanes = lanes_in_group == kLanes ? kAllLanes : (1u << lanes_in_group) - 1;
    lanes = lanes << group * lanes_in_group & request.active;
    if (lanes == 0) continue;
    const int cost = most_distinct(wanted(request.offset, lanes, shift), columns);
    passes.wavefronts += cost;
    passes.ideal += 1;
    passes.ways = std::max(passes.ways, cost);
  }
  return passes;
}

Passes passes_on_2x(const Request& request) {
  const int words = words_a_lane(request);
  return by_groups(request, words, older_unit_shift(words), kBanks / words);
}

// 8 bytes a bank: a lane of up to 8 bytes has one bank, one of 16 bytes two.
Passes passes_on_3x_8byte(const Request& request) {
  return words_a_lane(request) == 4 ? by_groups(request, 2, 4, kBanks / 2)
                                    : by_groups(request, 1, 3, kBanks);
}

// Word k is in bank k mod 32, as half of the row of 8 bytes that segment k / 64 has there. So the
// request is as one of words k' = 32 (k / 64) + k mod 32, where halves of a row are one word.
Passes passes_on_3x_4byte(const Request& request) {
  Request rows = request;
  for (std::uint32_t& offset : rows.offset) {
    const std::uint32_t word = offset / kWordBytes;
    offset = (word / 64 * 32 + word % 32) * kWordBytes;
  }
  const int words = words_a_lane(request);
  return by_groups(rows, words == 4 ? 2 : 1, older_unit_shift(words), kBanks / words);
}

} // namespace

bool has_rule(const Architecture& architecture, RequestKind access, int width) {
  if (access == RequestKind::shared_load || access == RequestKind::shared_store) return true;
  return architecture.rule == BankRule::since_5_0 && has_rule(access, width);
}

Passes shared_passes(const Architecture& architecture, const Request& request) {
  if (!has_rule(architecture, request.access, request.width)) return {};
  switch (architecture.rule) {
  case BankRule::since_5_0:
    return shared_passes(request);
  case BankRule::cc1:
    return passes_on_1x(request);
  case BankRule::cc2:
    return passes_on_2x(request);
  case BankRule::cc3_4byte:
    return passes_on_3x_4byte(request);
  case BankRule::cc3_8byte:
    return passes_on_3x_8byte(request);
  }
  return {};
}

} // namespace course::model
