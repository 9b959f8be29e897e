// Writer and Reader: numbers, strings and lists as bytes, little-endian, with every length checked.
//
// A message type lists its members once (protocol.hpp); given a Writer it
// encodes, given a Reader it decodes. A Reader is fed hostile bytes: it never reads past the end,
// never allocates more than there are bytes for, and after the first fault it reads only zeros.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace course::runtime {

using Bytes = std::vector<std::byte>;

class Writer {
public:
  explicit Writer(Bytes& out) : out_(out) {}

  template <class T>
  requires std::is_integral_v<T> || std::is_enum_v<T>
  void operator()(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      (*this)(static_cast<std::underlying_type_t<T>>(value));
    } else {
      const auto bits = static_cast<std::make_unsigned_t<wide<T>>>(value);
      std::array<std::byte, sizeof(T)> bytes;
      for (std::size_t i = 0; i < sizeof(T); ++i)
        bytes[i] = static_cast<std::byte>(bits >> (8 * i));
      append(bytes.data(), bytes.size());
    }
  }
  void text(const std::string& value, std::size_t) {
    (*this)(static_cast<std::uint32_t>(value.size()));
    append(value.data(), value.size());
  }
  void bytes(const Bytes& value, std::size_t) {
    (*this)(static_cast<std::uint32_t>(value.size()));
    append(value.data(), value.size());
  }
  template <class T, class Each>
  void list(const std::vector<T>& values, std::size_t, Each each) {
    (*this)(static_cast<std::uint32_t>(values.size()));
    for (const T& value : values) each(*this, value);
  }

private:
  template <class T>
  using wide = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;
  void append(const void* data, std::size_t size) {
    const auto* from = static_cast<const std::byte*>(data);
    out_.insert(out_.end(), from, from + size);
  }
  Bytes& out_;
};

class Reader {
public:
  explicit Reader(std::span<const std::byte> in) : in_(in) {}

  // Why the bytes are not a message; nothing while they may be one.
  const std::optional<std::string>& fault() const { return fault_; }
  void fail(std::string why) {
    if (!fault_) fault_ = std::move(why) + " at byte " + std::to_string(at_);
  }
  void expect_end() {
    if (at_ != in_.size()) fail(std::to_string(in_.size() - at_) + " bytes too many");
  }

  template <class T>
  requires std::is_integral_v<T> || std::is_enum_v<T>
  void operator()(T& value) {
    if constexpr (std::is_enum_v<T>) {
      std::underlying_type_t<T> number{};
      (*this)(number);
      value = static_cast<T>(number);
    } else {
      std::uint64_t bits = 0;
      if (take(sizeof(T))) {
        for (std::size_t i = 0; i < sizeof(T); ++i) {
          bits |= std::to_integer<std::uint64_t>(in_[at_ - sizeof(T) + i]) << (8 * i);
        }
      }
      value = static_cast<T>(bits);
    }
  }
  void text(std::string& value, std::size_t most) {
    const std::size_t size = length(most, "a text");
    if (take(size)) value.assign(reinterpret_cast<const char*>(in_.data()) + at_ - size, size);
  }
  void bytes(Bytes& value, std::size_t most) {
    const std::size_t size = length(most, "a block of bytes");
    if (take(size)) value.assign(in_.begin() + (at_ - size), in_.begin() + at_);
  }
  template <class T, class Each>
  void list(std::vector<T>& values, std::size_t most, Each each) {
    const std::size_t count = length(most, "a list");
    for (std::size_t i = 0; i < count && !fault_; ++i) each(*this, values.emplace_back());
  }

private:
  std::size_t length(std::size_t most, const char* what) {
    std::uint32_t size = 0;
    (*this)(size);
    if (size > most) {
      fail(std::string(what) + " of " + std::to_string(size) + " where at most " +
           std::to_string(most) + " are allowed");
      return 0;
    }
    return size;
  }
  bool take(std::size_t size) {
    if (fault_) return false;
    if (size > in_.size() - at_) {
      fail("the message ends early");
      return false;
    }
    at_ += size;
    return true;
  }

  std::span<const std::byte> in_;
  std::size_t at_ = 0;
  std::optional<std::string> fault_;
};

} // namespace course::runtime
