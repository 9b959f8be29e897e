#include "device/model/tensor_map.hpp"

#include <algorithm>
#include <cstring>
#include <initializer_list>

namespace course::model {
namespace {

constexpr std::uint64_t kMark = 0x70'61'4d'72'6f'73'6e'54; // "TnsorMap"

// What the bytes hold, in order; as it is, and in bytes, for both ways.
struct Held {
  std::uint64_t mark = kMark, address = 0;
  std::array<std::uint64_t, kMostDimensions - 1> stride{};
  std::array<std::uint32_t, kMostDimensions> last{}; // sizes less one, as 2^32 is one of them
  std::array<std::uint16_t, kMostDimensions> box{};
  std::uint8_t rank = 0, element = 0, floating = 0, nan = 0, swizzle = 0, promotion = 0;
};
constexpr std::uint8_t kTf32 = 2; // of `floating`
static_assert(sizeof(Held) <= kTensorMapBytes);

} // namespace

std::uint32_t TensorMap::rows() const {
  std::uint32_t count = 1;
  for (std::size_t d = 1; d < rank; ++d) count *= box[d];
  return count;
}

std::uint32_t TensorMap::span() const {
  return swizzle == Swizzle::none ? row_bytes() : swizzle_span(swizzle);
}

namespace {

// The numbers in the place of each {}; whole sentences, so that they can be translated.
std::string filled(std::string text, std::initializer_list<std::uint64_t> numbers) {
  for (const std::uint64_t number : numbers)
    text.replace(text.find("{}"), 2, std::to_string(number));
  return text;
}

} // namespace

std::string broken_rule(const TensorMap& map) {
  constexpr std::uint64_t kMostElements = std::uint64_t{1} << 32, kMostStride = kMostElements << 8;
  constexpr std::uint32_t kMostInBox = 256;
  if (map.rank < 1 || map.rank > kMostDimensions)
    return filled("a tensor of {} dimensions, where 1 to 5 are allowed", {map.rank});
  if (map.address % 16) return "the tensor's address is no multiple of 16 bytes";
  for (std::size_t d = 0; d < map.rank; ++d) {
    if (map.size[d] == 0 || map.size[d] > kMostElements)
      return filled("the tensor has {} elements in dimension {}, where 1 to 2^32 are allowed",
                    {map.size[d], d});
    if (map.box[d] == 0 || map.box[d] > kMostInBox)
      return filled("the box has {} elements in dimension {}, where 1 to 256 are allowed",
                    {map.box[d], d});
    if (d > 0 && map.stride[d] % 16)
      return filled("the stride in dimension {}, {} bytes, is no multiple of 16",
                    {d, map.stride[d]});
    if (d > 0 && map.stride[d] >= kMostStride)
      return filled("the stride in dimension {}, {} bytes, is not below 2^40", {d, map.stride[d]});
  }
  if (map.row_bytes() % 16)
    return filled("the box's row, {} bytes, is no multiple of 16", {map.row_bytes()});
  if (map.swizzle != Swizzle::none && map.row_bytes() > map.span())
    return filled("the box's row, {} bytes, is longer than its swizzle, {}",
                  {map.row_bytes(), map.span()});
  if (map.fills_with_nan && !map.floating) return "whole numbers have no NaN to fill with";
  return {};
}

bool is_accepted(const TensorMap& map) {
  return broken_rule(map).empty();
}

std::uint32_t rounded_to_tf32(std::uint32_t bits) {
  constexpr std::uint32_t kInfinity = 0x7f80'0000, kNan = 0x7fff'e000, kDropped = 0x1fff;
  if ((bits & 0x7fff'ffff) > kInfinity) return kNan;
  const std::uint32_t odd = bits >> 13 & 1;
  return (bits + (kDropped >> 1) + odd) & ~kDropped;
}

TensorMapBytes encoded(const TensorMap& map) {
  Held held;
  held.address = map.address;
  held.rank = map.rank;
  held.element = map.element;
  held.floating = map.rounds_to_tf32 ? kTf32 : map.floating;
  held.nan = map.fills_with_nan;
  held.swizzle = static_cast<std::uint8_t>(map.swizzle);
  held.promotion = map.promotion;
  for (std::size_t d = 0; d < map.rank; ++d) {
    held.last[d] = static_cast<std::uint32_t>(map.size[d] - 1);
    held.box[d] = static_cast<std::uint16_t>(map.box[d]);
    if (d > 0) held.stride[d - 1] = map.stride[d];
  }
  TensorMapBytes bytes{};
  std::memcpy(bytes.data(), &held, sizeof held);
  return bytes;
}

std::optional<TensorMap> decoded(const TensorMapBytes& bytes) {
  Held held;
  std::memcpy(&held, bytes.data(), sizeof held);
  if (held.mark != kMark || held.rank < 1 || held.rank > kMostDimensions || held.swizzle > 3)
    return std::nullopt;
  TensorMap map;
  map.address = held.address;
  map.rank = held.rank;
  map.element = held.element;
  map.floating = held.floating != 0;
  map.rounds_to_tf32 = held.floating == kTf32;
  map.fills_with_nan = held.nan != 0;
  map.swizzle = static_cast<Swizzle>(held.swizzle);
  map.promotion = held.promotion;
  for (std::size_t d = 0; d < map.rank; ++d) {
    map.size[d] = std::uint64_t{held.last[d]} + 1;
    map.box[d] = held.box[d];
    map.stride[d] = d > 0 ? held.stride[d - 1] : map.element;
  }
  if (map.element == 0 || map.element > 8 || !is_accepted(map)) return std::nullopt;
  return map;
}

std::optional<Swizzle> swizzle_named(std::string_view name) {
  const auto* found = std::ranges::find(kSwizzleNames, name);
  if (found == kSwizzleNames.end()) return {};
  return static_cast<Swizzle>(found - kSwizzleNames.begin());
}

std::uint32_t swizzled(std::uint32_t linear, Swizzle swizzle, std::uint32_t base_offset) {
  const std::uint32_t bits = (1u << static_cast<unsigned>(swizzle)) - 1; // 0, 1, 3, 7
  return linear ^ (((linear >> 7) - base_offset) & bits) << 4;
}

} // namespace course::model
