#include "elf_file.hpp"

#include <algorithm>
#include <elf.h>

namespace course::elf {
namespace {

// A name from the file in a message: whoever made the file may want to steer a terminal.
std::string shown(std::string_view name) {
  constexpr std::size_t kMost = 100;
  std::string text(name.substr(0, kMost));
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return name.size() > kMost ? text + "..." : text;
}

std::string span_text(std::uint64_t offset, std::uint64_t size, std::uint64_t available) {
  return std::to_string(size) + " bytes at offset " + std::to_string(offset) + " of " +
         std::to_string(available);
}

View slice(View bytes, std::uint64_t offset, std::uint64_t size, const std::string& what) {
  if (offset > bytes.size() || size > bytes.size() - offset)
    throw Malformed(what + ": " + span_text(offset, size, bytes.size()));
  return bytes.subspan(offset, size);
}

void check_identity(const Elf64_Ehdr& header) {
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    throw Malformed("not an ELF file: it does not begin with \\x7fELF");
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
    throw Malformed("not a 64-bit little-endian ELF file");
}

// Files with 65,280 sections or more keep the count in the null section's size and the index of the
// name table in its link.
struct SectionTable {
  std::uint64_t count = 0;
  std::uint64_t names = 0;
};

SectionTable section_table(View bytes, const Elf64_Ehdr& header) {
  if (header.e_shoff == 0) return {};
  if (header.e_shentsize != sizeof(Elf64_Shdr))
    throw Malformed("section headers of " + std::to_string(header.e_shentsize) +
                    " bytes, expected " + std::to_string(sizeof(Elf64_Shdr)));
  const auto null_section = read_at<Elf64_Shdr>(bytes, header.e_shoff);
  SectionTable table{header.e_shnum, header.e_shstrndx};
  if (table.count == 0) table.count = null_section.sh_size;
  if (table.names == SHN_XINDEX) table.names = null_section.sh_link;
  if (table.count > (bytes.size() - header.e_shoff) / sizeof(Elf64_Shdr))
    throw Malformed("section headers: " + std::to_string(table.count) + " at offset " +
                    std::to_string(header.e_shoff) + " of " + std::to_string(bytes.size()));
  return table;
}

Section section_from(View bytes, const Elf64_Shdr& header, std::uint64_t index, View names) {
  Section section;
  section.name = names.empty() ? "" : string_at(names, header.sh_name);
  section.type = header.sh_type;
  section.flags = header.sh_flags;
  section.address = header.sh_addr;
  section.link = header.sh_link;
  section.info = header.sh_info;
  section.entry_size = header.sh_entsize;
  section.size = header.sh_size;
  if (header.sh_type != SHT_NOBITS && header.sh_type != SHT_NULL)
    section.bytes = slice(bytes, header.sh_offset, header.sh_size,
                          "section " + std::to_string(index) + " (" + shown(section.name) + ")");
  return section;
}

} // namespace

File::File(View bytes) {
  if (bytes.size() < sizeof(Elf64_Ehdr))
    throw Malformed("an ELF header: " + span_text(0, sizeof(Elf64_Ehdr), bytes.size()));
  const auto header = read_at<Elf64_Ehdr>(bytes, 0);
  check_identity(header);
  machine_ = header.e_machine;
  flags_ = header.e_flags;

  const SectionTable table = section_table(bytes, header);
  const auto header_of = [&](std::uint64_t index) {
    return read_at<Elf64_Shdr>(bytes, header.e_shoff + index * sizeof(Elf64_Shdr));
  };
  View names;
  if (table.names != SHN_UNDEF) {
    if (table.names >= table.count)
      throw Malformed("section names: section " + std::to_string(table.names) + " of " +
                      std::to_string(table.count));
    const Elf64_Shdr strings = header_of(table.names);
    names = slice(bytes, strings.sh_offset, strings.sh_size, "section names");
  }
  sections_.reserve(table.count);
  for (std::uint64_t index = 0; index < table.count; ++index)
    sections_.push_back(section_from(bytes, header_of(index), index, names));
}

const Section* File::find(std::string_view name) const {
  const auto found = std::ranges::find(sections_, name, &Section::name);
  return found == sections_.end() ? nullptr : &*found;
}

View File::loaded(std::uint64_t address, std::uint64_t size) const {
  for (const Section& section : sections_) {
    if (!(section.flags & SHF_ALLOC) || address < section.address) continue;
    const std::uint64_t offset = address - section.address;
    if (offset < section.bytes.size() && size <= section.bytes.size() - offset)
      return section.bytes.subspan(offset, size);
  }
  throw Malformed("no section holds " + std::to_string(size) + " bytes at address " +
                  std::to_string(address));
}

std::vector<Symbol> File::symbols(const Section& table) const {
  if (table.entry_size != sizeof(Elf64_Sym))
    throw Malformed(shown(table.name) + ": entries of " + std::to_string(table.entry_size) +
                    " bytes, expected " + std::to_string(sizeof(Elf64_Sym)));
  if (table.link >= sections_.size())
    throw Malformed(shown(table.name) + ": its strings are section " + std::to_string(table.link) +
                    " of " + std::to_string(sections_.size()));
  const View strings = sections_[table.link].bytes;
  std::vector<Symbol> result;
  result.reserve(table.bytes.size() / sizeof(Elf64_Sym));
  for (std::uint64_t offset = 0; table.bytes.size() - offset >= sizeof(Elf64_Sym);
       offset += sizeof(Elf64_Sym)) {
    const auto entry = read_at<Elf64_Sym>(table.bytes, offset);
    Symbol symbol;
    symbol.name = entry.st_name == 0 ? "" : string_at(strings, entry.st_name);
    symbol.value = entry.st_value;
    symbol.size = entry.st_size;
    symbol.type = ELF64_ST_TYPE(entry.st_info);
    symbol.binding = ELF64_ST_BIND(entry.st_info);
    symbol.section = entry.st_shndx;
    result.push_back(symbol);
  }
  return result;
}

std::vector<Symbol> File::dynamic_symbols() const {
  const auto table = std::ranges::find(sections_, std::uint32_t{SHT_DYNSYM}, &Section::type);
  return table == sections_.end() ? std::vector<Symbol>{} : symbols(*table);
}

std::string_view string_at(View strings, std::uint64_t offset) {
  if (offset >= strings.size()) throw Malformed("a name: " + span_text(offset, 1, strings.size()));
  const View rest = strings.subspan(offset, std::min(strings.size() - offset, kLongestName));
  const auto end = std::ranges::find(rest, std::byte{0});
  if (end == rest.end())
    throw Malformed("a name at offset " + std::to_string(offset) + " of " +
                    std::to_string(strings.size()) + " has no end");
  return {reinterpret_cast<const char*>(rest.data()), static_cast<std::size_t>(end - rest.begin())};
}

} // namespace course::elf
