// Bytes on the wire between the grader and its GPU worker.
//
//   a number, an enumerator  as many bytes as it has in memory
//   a text, a list           | length: 8 bytes | as many characters, elements |
//   one that may be absent   | is it there: 1 | the value, if it is |
//   one of several           | which: 1 | the value |
//   bytes                    | 0: 1 | length: 8 | as many bytes |
//                            | 1: 1 | length: 8 | the one byte that all are |
//   all else                 its members, in the order in which fields() has them
//
// So a plan is  | steps: 8 | which: 1 | its members | which: 1 | its members | …
//
// Both ends are one build on one machine, so values travel in the machine's own layout. What is not
// taken on trust is the content: a worker runs a student's device code, so everything it answers
// is read through bounds checks, and nothing is allocated before the bytes for it are there.
#pragma once

#include "device/device.hpp"

#include <concepts>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace course::gpu {

template <class T>
concept Scalar = std::is_arithmetic_v<T> || std::is_enum_v<T>;

// Appends values. A block of one repeated byte (poisoned outputs, zeros) travels as that byte and
// its length.
class Writer {
public:
  explicit Writer(std::size_t expected = 0) { bytes_.reserve(expected); } // bytes in all
  template <class... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  device::Bytes take() { return std::move(bytes_); }

private:
  template <Scalar T>
  void put(const T& value) {
    append(&value, sizeof value);
  }
  void put(const std::string&);
  void put(const device::Bytes&);
  template <class T>
  void put(const std::vector<T>& values) {
    put(std::uint64_t{values.size()});
    for (const auto& value : values) put(value);
  }
  template <class T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <class Variant>
  void put(const CompiledOnce<Variant>& value) {
    put(static_cast<const Variant&>(value));
  }
  template <class... T>
  void put(const std::variant<T...>& value) {
    put(static_cast<std::uint8_t>(value.index()));
    std::visit([&](const auto& alternative) { put(alternative); }, value);
  }
  template <class T>
  requires std::is_class_v<T>
  void put(const T& value) { fields(*this, value); }
  void append(const void*, std::size_t);

  device::Bytes bytes_;
};

// Reads what Writer wrote. After the first value that is cut short or out of range, every further
// one is left as it was and `ok` is false.
class Reader {
public:
  // `expansion` bounds the bytes that repeated blocks may grow to.
  explicit Reader(std::span<const std::byte> bytes, std::uint64_t expansion = 1ull << 36)
      : rest_(bytes), expansion_(expansion) {}

  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  bool ok() const { return ok_; }
  bool finished() const { return ok_ && rest_.empty(); }

private:
  template <Scalar T>
  void get(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t byte = 0;
      get(byte);
      value = byte != 0;
    } else {
      copy(&value, sizeof value);
    }
  }
  void get(std::string&);
  void get(device::Bytes&);
  template <class T>
  void get(std::vector<T>& values) {
    std::uint64_t count = 0;
    get(count);
    if (count > rest_.size()) ok_ = false; // an element is a byte at least
    values.clear();
    for (std::uint64_t i = 0; ok_ && i < count; ++i) get(values.emplace_back());
  }
  template <class T>
  void get(std::optional<T>& value) {
    bool present = false;
    get(present);
    value.reset();
    if (ok_ && present) get(value.emplace());
  }
  template <class Variant>
  void get(CompiledOnce<Variant>& value) {
    get(static_cast<Variant&>(value));
  }
  template <class... T>
  void get(std::variant<T...>& value) {
    std::uint8_t index = 0;
    get(index);
    if (index >= sizeof...(T)) ok_ = false;
    if (ok_) alternative<0>(index, value);
  }
  template <std::size_t I, class... T>
  void alternative(std::size_t index, std::variant<T...>& value) {
    if constexpr (I < sizeof...(T)) {
      if (index == I) {
        get(value.template emplace<I>());
      } else {
        alternative<I + 1>(index, value);
      }
    }
  }
  template <class T>
  requires std::is_class_v<T>
  void get(T& value) {
    constexpr int kDeepest = 64; // a message may hold messages, and each takes of the stack
    if (++depth_ > kDeepest) ok_ = false;
    if (ok_) fields(*this, value);
    --depth_;
  }
  void copy(void*, std::size_t);

  std::span<const std::byte> rest_;
  std::uint64_t expansion_;
  int depth_ = 0;
  bool ok_ = true;
};

} // namespace course::gpu
