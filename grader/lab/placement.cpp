#include "lab/placement.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

namespace course::lab {
namespace {

constexpr std::byte kGuardByte{0xa5};

// The upper half of a float: see rounded_to_bf16().
class Bf16 {
public:
  Bf16() = default;
  explicit Bf16(float value)
      : bits_(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16)) {}
  explicit operator float() const { return std::bit_cast<float>(std::uint32_t{bits_} << 16); }

private:
  std::uint16_t bits_ = 0;
};

// An int of 2^24 and more has bits that a float has not. Of four neighbouring floats the first
// stands for the int that it is, the second for one so little above that both are one float to who
// rounds them, and the last for the int before the next four, so that the largest of all is one.
// The third stands for every other int: who loses a bit gets another value. The order of ints is
// that of their values.
struct Four {
  std::uint32_t first, apart; // ints from one float to the next

  explicit Four(std::uint32_t size) : apart(1u << (std::bit_width(size) - kBitsOfFloat)) {
    first = size & ~(4 * apart - 1);
  }
  std::uint32_t second() const {
    constexpr std::uint32_t kOdd = 2'654'435'769; // of 2^32, the golden section
    return first + 1 + (first * kOdd >> 16) % (apart / 2);
  }
  std::uint32_t last() const { return first + 4 * apart - 1; }

  static constexpr int kBitsOfFloat = 24;
  static bool holds(std::uint32_t size) { return std::bit_width(size) > kBitsOfFloat; }
};

std::uint32_t size_of(std::int32_t value) {
  return value < 0 ? 0u - static_cast<std::uint32_t>(value) : static_cast<std::uint32_t>(value);
}

std::int32_t int_of(float value) {
  auto size = size_of(static_cast<std::int32_t>(value));
  if (Four::holds(size)) {
    const Four four(size);
    const auto which = (size - four.first) / four.apart;
    if (which > 0) size = which == 3 ? four.last() : four.second();
  }
  return static_cast<std::int32_t>(value < 0 ? 0u - size : size);
}

float value_of(std::int32_t element) {
  const auto size = size_of(element);
  if (!Four::holds(size)) return static_cast<float>(element);
  const Four four(size);
  std::uint32_t which = 2;
  if (size == four.first) which = 0;
  if (size == four.second()) which = 1;
  if (size == four.last()) which = 3;
  const auto value = static_cast<float>(four.first + which * four.apart);
  return element < 0 ? -value : value;
}

template <class T>
device::Bytes encoded_as(const Floats& values) {
  device::Bytes bytes(values.size() * sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    T element;
    if constexpr (std::is_same_v<T, std::int32_t>)
      element = int_of(values[i]);
    else
      element = static_cast<T>(values[i]);
    std::memcpy(bytes.data() + i * sizeof(T), &element, sizeof(T));
  }
  return bytes;
}

device::Bytes encoded(const Floats& values, Type type) {
  switch (type) {
  case Type::f32:
    return encoded_as<float>(values);
  case Type::i32:
    return encoded_as<std::int32_t>(values);
  case Type::i16:
    return encoded_as<std::int16_t>(values);
  case Type::bf16:
    return encoded_as<Bf16>(values);
  }
  return {};
}

// Poison stays poison: an integer that was never written is no number.
template <class T>
Floats decoded_as(std::span<const std::byte> bytes) {
  Floats values(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    T element;
    std::memcpy(&element, bytes.data() + i * sizeof(T), sizeof(T));
    if constexpr (std::is_same_v<T, std::int32_t>)
      values[i] = value_of(element);
    else
      values[i] = static_cast<float>(element);
    if constexpr (sizeof(T) == 4) {
      const bool poison = std::bit_cast<std::uint32_t>(element) == judge::kPoison;
      if (poison) values[i] = std::bit_cast<float>(judge::kPoison);
    }
  }
  return values;
}

Floats decoded(std::span<const std::byte> bytes, Type type) {
  switch (type) {
  case Type::f32:
    return decoded_as<float>(bytes);
  case Type::i32:
    return decoded_as<std::int32_t>(bytes);
  case Type::i16:
    return decoded_as<std::int16_t>(bytes);
  case Type::bf16:
    return decoded_as<Bf16>(bytes);
  }
  return {};
}

std::uint64_t rounded_up(std::uint64_t size, std::uint64_t to) {
  return (size + to - 1) / to * to;
}

device::Bytes poisoned(std::uint64_t size) {
  device::Bytes bytes(size);
  for (std::uint64_t i = 0; i + 4 <= size; i += 4)
    std::memcpy(bytes.data() + i, &judge::kPoison, 4);
  return bytes;
}

using Span = std::span<const std::byte>;

Span part(const device::Bytes& bytes, std::uint64_t from, std::uint64_t size) {
  const auto start = std::min<std::uint64_t>(from, bytes.size());
  return Span(bytes).subspan(start, std::min(size, bytes.size() - start));
}

} // namespace

float held_by_int(float value) {
  return value_of(int_of(value));
}

std::uint64_t bytes_of(Type type) {
  return type == Type::i16 || type == Type::bf16 ? 2 : 4;
}

Placement::Placement(const std::vector<Operand>& operands, std::uint64_t guard,
                     device::Address first)
    : operands_(operands), guard_(guard), end_(first) {
  for (const auto& operand : operands_) {
    const auto size = std::max<std::uint64_t>(4, operand.elements * bytes_of(operand.type));
    regions_.push_back({end_ + guard_, size});
    end_ +=
        rounded_up(size + 2 * guard_, runtime::kAddressGranularity) + runtime::kAddressGranularity;
  }
}

std::vector<device::Buffer> Placement::buffers(const std::vector<Floats>& inputs) const {
  std::vector<device::Buffer> buffers;
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    const auto& region = regions_[i];
    auto bytes = poisoned(region.size);
    if (!operands_[i].output) {
      const auto given = encoded(inputs[i], operands_[i].type);
      std::copy(given.begin(), given.end(), bytes.begin());
    }
    bytes.insert(bytes.begin(), guard_, kGuardByte);
    bytes.insert(bytes.end(), guard_, kGuardByte);
    buffers.push_back({.name = operands_[i].name,
                       .address = region.address - guard_,
                       .bytes = std::move(bytes),
                       .initialised = !operands_[i].output});
  }
  return buffers;
}

Floats Placement::values(const std::vector<device::Bytes>& after, std::size_t i) const {
  if (i >= after.size()) return {};
  const auto& operand = operands_[i];
  return decoded(part(after[i], guard_, operand.elements * bytes_of(operand.type)), operand.type);
}

std::span<const device::Way> Placement::ways(const std::vector<std::vector<device::Way>>& after,
                                             std::size_t i) const {
  const auto size = operands_[i].elements * bytes_of(operands_[i].type);
  if (i >= after.size() || after[i].size() < guard_ + size) return {};
  return std::span(after[i]).subspan(guard_, size);
}

std::vector<judge::Damage> Placement::damage(const std::vector<device::Buffer>& before,
                                             const std::vector<device::Bytes>& after) const {
  std::vector<judge::Damage> damage;
  const auto compare = [&](std::size_t i, std::uint64_t from, std::uint64_t size,
                           judge::Damage::Where where) {
    const auto now = i < after.size() ? part(after[i], from, size) : Span{};
    if (const auto byte = judge::first_change(part(before[i].bytes, from, size), now))
      damage.push_back({where, operands_[i].name, *byte});
  };
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    using Where = judge::Damage::Where;
    if (!operands_[i].output) compare(i, guard_, regions_[i].size, Where::within);
    if (guard_ == 0) continue;
    compare(i, 0, guard_, Where::before);
    compare(i, guard_ + regions_[i].size, guard_, Where::after);
  }
  return damage;
}

} // namespace course::lab
