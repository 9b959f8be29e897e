// A fat binary's container, as nvcc would put it into a program (device/code/fatbin/fatbin.hpp):
// for tests, and for PTX that a program loads by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace course::code {

inline constexpr std::uint16_t kPtxKind = 1, kElfKind = 2;

using ImageBytes = std::vector<std::byte>;

// Behind what is there, the low byte first.
template <class Number>
void put(ImageBytes& bytes, Number value) {
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
}

// One entry of PTX or machine code, not compressed.
inline ImageBytes fatbin_entry(std::uint16_t kind, std::uint32_t architecture, std::string data,
                               std::uint64_t flags = 0) {
  const auto size = static_cast<std::uint32_t>(data.size());
  data.resize((data.size() + 7) / 8 * 8);
  ImageBytes bytes;
  put(bytes, kind), put(bytes, std::uint16_t{0x101}), put(bytes, std::uint32_t{64});
  put(bytes, std::uint64_t{data.size()}), put(bytes, size), put(bytes, std::uint32_t{0});
  put(bytes, std::uint32_t{0}), put(bytes, architecture), put(bytes, std::uint64_t{0});
  put(bytes, flags), put(bytes, std::uint64_t{0}), put(bytes, std::uint64_t{0});
  const auto* from = reinterpret_cast<const std::byte*>(data.data());
  bytes.insert(bytes.end(), from, from + data.size());
  return bytes;
}

inline ImageBytes fatbin_container(const ImageBytes& entries) {
  ImageBytes bytes;
  put(bytes, std::uint32_t{0xBA55ED50}), put(bytes, std::uint16_t{1});
  put(bytes, std::uint16_t{16}), put(bytes, std::uint64_t{entries.size()});
  bytes.insert(bytes.end(), entries.begin(), entries.end());
  return bytes;
}

inline ImageBytes fatbin_of_ptx(const std::string& ptx) {
  return fatbin_container(fatbin_entry(kPtxKind, 90, ptx));
}

} // namespace course::code
