#include "device/emulator/decode/layout.hpp"

#include "device/message_id.hpp"

#include <algorithm>
#include <span>

namespace course::emulator {
namespace {

using device::Count;
using device::Message;
using Says = device::MessageId;

// Sizes come from foreign text. What is larger than any memory of a device is placed all the same,
// cut to this, and refused when it is launched: Layout::bytes() still exceeds every limit.
constexpr std::uint64_t kMost = 1u << 28;

// After so many bytes banks and the swizzles of tensor maps begin anew.
constexpr std::uint64_t kPattern = 1024;

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) / to * to;
}

// The element that begins at or before a byte: "tile[1][0]".
std::string element_text(const Array& array, std::uint64_t byte) {
  std::string subscripts;
  std::uint64_t index = byte / array.shape->element;
  const auto& extents = array.shape->extents;
  for (std::size_t i = extents.size(); i-- > 0;) {
    const std::uint64_t here = i == 0 ? index : index % extents[i];
    subscripts = "[" + std::to_string(here) + "]" + subscripts;
    if (i > 0) index /= extents[i];
  }
  return array.name + subscripts;
}

Message called(const Array& array) {
  return array.name.empty() ? Message(Says::dynamic_shared) : Message(array.name);
}

Message with_size(const Array& array) {
  const Says how = !array.dynamic       ? Says::sized
                   : array.name.empty() ? Says::sized_at_launch
                                        : Says::sized_dynamic;
  return Message(how, called(array), Count{array.size});
}

Message inside_of(const Array& array, std::uint32_t byte, std::uint32_t width) {
  if (!array.shape) return Message(Says::byte_of, byte, called(array));
  const std::uint64_t element = array.shape->element;
  std::string first = element_text(array, byte);
  if (array.shape->extents.empty() && byte == 0) return Message(std::move(first));
  constexpr std::uint64_t kLargestNumber = 16; // above it is a struct, of which a part is meant
  const bool part = element > kLargestNumber;
  const auto at = part ? byte % element : byte;
  if (width <= element)
    return Message(part ? Says::element_part : Says::element, std::move(first), at);
  const std::uint64_t end = std::min<std::uint64_t>(byte + width, array.size);
  return Message(part ? Says::elements_part : Says::elements, std::move(first),
                 element_text(array, end - 1), at);
}

} // namespace

std::uint32_t Layout::add(std::string name, std::uint64_t size, std::uint32_t align) {
  const std::uint64_t hardware = std::min(round_up(bytes(), std::clamp(align, 1u, 1024u)), kMost);
  std::uint64_t begin = arrays_.empty() ? 0 : guarded_bytes() + kGap;
  begin = round_up(begin, kPattern) + hardware % kPattern;
  arrays_.push_back({std::move(name), static_cast<std::uint32_t>(std::min(begin, 8 * kMost)),
                     static_cast<std::uint32_t>(std::min(size, kMost)),
                     static_cast<std::uint32_t>(hardware)});
  return static_cast<std::uint32_t>(arrays_.size() - 1);
}

void Layout::reserve(std::string name, std::uint32_t size) {
  arrays_.push_back({std::move(name), 0, size, 0});
  reserved_ = true;
}

void Layout::shape_last(code::ArrayShape shape) {
  if (shape.element > 0) arrays_.back().shape = std::move(shape);
}

void Layout::resize_last(std::uint64_t size) {
  arrays_.back().size = static_cast<std::uint32_t>(std::min(size, kMost));
  arrays_.back().dynamic = true;
}

std::uint64_t Layout::bytes() const {
  if (arrays_.empty() || only_reserved()) return 0;
  return std::uint64_t{arrays_.back().hardware} + arrays_.back().size;
}

std::uint64_t Layout::guarded_bytes() const {
  return arrays_.empty() ? 0 : std::uint64_t{arrays_.back().begin} + arrays_.back().size;
}

std::uint32_t Layout::array_at(std::uint32_t at) const {
  const auto after =
      std::upper_bound(arrays_.begin(), arrays_.end(), at,
                       [](std::uint32_t x, const Array& array) { return x < array.begin; });
  return after == arrays_.begin() ? 0 : static_cast<std::uint32_t>(after - arrays_.begin() - 1);
}

bool Layout::begins_array(std::uint32_t at) const {
  return std::any_of(arrays_.begin(), arrays_.end(),
                     [=](const Array& array) { return array.size > 0 && array.begin == at; });
}

bool Layout::inside(std::uint32_t array, std::uint32_t at, std::uint32_t width) const {
  if (array >= arrays_.size()) return false;
  const Array& a = arrays_[array];
  return at >= a.begin && width <= a.size && at - a.begin <= a.size - width;
}

std::uint32_t Layout::hardware_offset(std::uint32_t at) const {
  if (arrays_.empty()) return at;
  const Array& array = arrays_[array_at(at)];
  return at - array.begin + array.hardware;
}

const Array* Layout::array_on_hardware(std::uint64_t offset) const {
  for (const Array& array : std::span(arrays_).subspan(reserved_ ? 1 : 0))
    if (offset >= array.hardware && (array.size == 0 || offset - array.hardware < array.size))
      return &array; // the dynamic one has no size before its launch
  return nullptr;
}

Message Layout::describe(std::uint32_t at, std::uint32_t width) const {
  if (arrays_.empty()) return Message(Says::no_shared);
  const auto after = [](std::uint32_t x, const Array& a) { return x >= a.begin + a.size; };
  // In a gap, the array that is nearer. What lies at the end of all addresses is below the first.
  const bool below = at > guarded_bytes() && 0u - at <= kGap / 2;
  std::uint32_t index = below ? 0 : array_at(at);
  if (!below && index + 1 < arrays_.size() && after(at, arrays_[index]) &&
      arrays_[index + 1].begin - at < at - arrays_[index].begin - arrays_[index].size)
    ++index;
  const Array& array = arrays_[index];
  if (below || at < array.begin)
    return Message(Says::before_start, Count{array.begin - at}, with_size(array));
  const std::uint32_t byte = at - array.begin;
  if (byte == array.size) return Message(Says::just_past_end, with_size(array));
  if (byte > array.size) return Message(Says::past_end, Count{byte - array.size}, with_size(array));
  return inside_of(array, byte, width);
}

} // namespace course::emulator
