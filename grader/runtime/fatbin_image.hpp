// A fat binary's container, as nvcc would put it into a program (build/fatbin.hpp): for tests, and
// for PTX that a program loads by itself.
#pragma once

#include "runtime/wire.hpp"

#include <cstdint>
#include <string>

namespace course::runtime {

inline constexpr std::uint16_t kPtxKind = 1, kElfKind = 2;

// One entry of PTX or machine code, not compressed.
inline Bytes fatbin_entry(std::uint16_t kind, std::uint32_t architecture, std::string data,
                          std::uint64_t flags = 0) {
  const auto size = static_cast<std::uint32_t>(data.size());
  data.resize((data.size() + 7) / 8 * 8);
  Bytes bytes;
  Writer put(bytes);
  put(kind), put(std::uint16_t{0x101}), put(std::uint32_t{64});
  put(std::uint64_t{data.size()}), put(size), put(std::uint32_t{0});
  put(std::uint32_t{0}), put(architecture), put(std::uint64_t{0});
  put(flags), put(std::uint64_t{0}), put(std::uint64_t{0}); // flags: not compressed
  const auto* from = reinterpret_cast<const std::byte*>(data.data());
  bytes.insert(bytes.end(), from, from + data.size());
  return bytes;
}

inline Bytes fatbin_container(const Bytes& entries) {
  Bytes bytes;
  Writer put(bytes);
  put(std::uint32_t{0xBA55ED50}), put(std::uint16_t{1}), put(std::uint16_t{16});
  put(std::uint64_t{entries.size()});
  bytes.insert(bytes.end(), entries.begin(), entries.end());
  return bytes;
}

inline Bytes fatbin_of_ptx(const std::string& ptx) {
  return fatbin_container(fatbin_entry(kPtxKind, 90, ptx));
}

} // namespace course::runtime
