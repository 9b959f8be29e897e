// Any bytes as an ELF file: sections and symbols within the bytes, or Malformed.
#include "elf/elf_file.hpp"

namespace course::elf {
namespace {

constexpr std::uint32_t kSymbolTable = 2, kDynamicSymbols = 11; // SHT_SYMTAB, SHT_DYNSYM

void require(bool holds) {
  if (!holds) __builtin_trap();
}

bool within(View inner, View outer) {
  return inner.empty() || (inner.data() >= outer.data() &&
                           inner.data() + inner.size() <= outer.data() + outer.size());
}
bool within(std::string_view name, View outer) {
  return within(std::as_bytes(std::span(name)), outer) && name.size() <= kLongestName;
}

void look_at(const File& file, const Section& section, View all) {
  require(within(section.bytes, all) && within(section.name, all));
  require(file.find(section.name) != nullptr);
  if (section.type == kSymbolTable || section.type == kDynamicSymbols)
    for (const Symbol& symbol : file.symbols(section)) require(within(symbol.name, all));
  const View loaded = file.loaded(section.address, section.bytes.size());
  require(loaded.size() == section.bytes.size() && within(loaded, all));
}

void read(View all) try {
  const File file(all);
  require(!file.sections().empty() || file.find("") == nullptr);
  for (const Section& section : file.sections()) {
    try {
      look_at(file, section, all);
    } catch (const Malformed& fault) {
      require(fault.what()[0] != '\0');
    }
  }
  for (const Symbol& symbol : file.dynamic_symbols()) require(within(symbol.name, all));
} catch (const Malformed& fault) {
  require(fault.what()[0] != '\0');
}

} // namespace
} // namespace course::elf

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  course::elf::read(std::as_bytes(std::span(bytes, size)));
  return 0;
}
