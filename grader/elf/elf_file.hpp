// Sections and symbols of a 64-bit little-endian ELF file: host libraries, and NVIDIA's cubins.
//
// The bytes may come from a hostile program: every offset, size and index is checked, and what does
// not fit is `Malformed`, never a crash. Nothing is copied: names and bytes are views of the bytes
// given, which must outlive them. Layout: System V ABI, chapter 4, and <elf.h>.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace course::elf {

using View = std::span<const std::byte>;

// What does not fit, and where: "section 3 (.text): 4096 bytes at offset 900 of a file of 1200".
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Section {
  std::string_view name;
  std::uint32_t type = 0;    // SHT_PROGBITS, SHT_SYMTAB, … or a processor's own number
  std::uint64_t flags = 0;   // SHF_ALLOC, …
  std::uint64_t address = 0; // where it is loaded; 0 in files that are not linked
  std::uint32_t link = 0;    // index of a section: the strings of a symbol table
  std::uint32_t info = 0;
  std::uint64_t entry_size = 0;
  std::uint64_t size = 0; // bytes when loaded
  View bytes;             // its content; empty for SHT_NOBITS, which has none in the file
};

struct Symbol {
  std::string_view name;
  std::uint64_t value = 0, size = 0;
  std::uint8_t type = 0;     // STT_FUNC, STT_OBJECT, …
  std::uint8_t binding = 0;  // STB_LOCAL, STB_GLOBAL, STB_WEAK
  std::uint16_t section = 0; // index, SHN_UNDEF, SHN_ABS, …

  bool defined() const { return section != 0; }
};

class File {
public:
  explicit File(View bytes); // throws Malformed

  std::uint16_t machine() const { return machine_; } // EM_X86_64, 190 for a cubin
  std::uint32_t flags() const { return flags_; }
  const std::vector<Section>& sections() const {
    return sections_;
  }                                                 // the first is the null section
  const Section* find(std::string_view name) const; // the first of that name

  // The bytes that would be loaded at [address, address + size), which must lie in one section.
  View loaded(std::uint64_t address, std::uint64_t size) const; // throws Malformed

  // The entries of a SHT_SYMTAB or SHT_DYNSYM section, with the null entry first, so that indices
  // of relocations hold. Throws Malformed.
  std::vector<Symbol> symbols(const Section& table) const;
  // Of .dynsym; empty when there is none. Throws Malformed.
  std::vector<Symbol> dynamic_symbols() const;

private:
  std::uint16_t machine_ = 0;
  std::uint32_t flags_ = 0;
  std::vector<Section> sections_;
};

// Longer names are malformed, so that reading a file takes time in proportion to its entries.
inline constexpr std::size_t kLongestName = 1 << 16;

// A NUL-terminated string at `offset` of a string table. Throws Malformed when it has no end.
std::string_view string_at(View strings, std::uint64_t offset);

// A plain struct at `offset`, whatever its alignment. Throws Malformed when it does not fit.
template <class T>
T read_at(View bytes, std::uint64_t offset);

} // namespace course::elf

#include <cstring>

template <class T>
T course::elf::read_at(View bytes, std::uint64_t offset) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
    throw Malformed(std::to_string(sizeof(T)) + " bytes at offset " + std::to_string(offset) +
                    " of " + std::to_string(bytes.size()));
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}
