#include "elf_file.hpp"

#include <doctest/doctest.h>
#include <elf.h>

#include <fstream>
#include <iterator>
#include <random>

// Something for the tests to find in their own executable.
extern "C" int elf_test_marker;
int elf_test_marker = 0x5eed;

namespace course::elf {
namespace {

std::vector<std::byte> as_bytes(const std::string& text) {
  const View bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> own_executable() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return as_bytes(text);
}

// A file with one symbol table: null section, .strtab, .symtab.
std::vector<std::byte> small_file() {
  const std::string strings("\0.strtab\0.symtab\0answer\0", 24);
  Elf64_Sym symbols[2]{};
  symbols[1].st_name = 17;
  symbols[1].st_value = 42;
  symbols[1].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
  symbols[1].st_shndx = 1;

  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_machine = 190;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 1;
  header.e_shoff = sizeof(header) + strings.size() + sizeof(symbols);
  Elf64_Shdr sections[3]{};
  sections[1].sh_name = 1;
  sections[1].sh_type = SHT_STRTAB;
  sections[1].sh_flags = SHF_ALLOC;
  sections[1].sh_addr = 0x1000;
  sections[1].sh_offset = sizeof(header);
  sections[1].sh_size = strings.size();
  sections[2].sh_name = 9;
  sections[2].sh_type = SHT_SYMTAB;
  sections[2].sh_offset = sizeof(header) + strings.size();
  sections[2].sh_size = sizeof(symbols);
  sections[2].sh_link = 1;
  sections[2].sh_entsize = sizeof(Elf64_Sym);

  std::string file;
  const auto append = [&](const void* data, std::size_t size) {
    file.append(static_cast<const char*>(data), size);
  };
  append(&header, sizeof(header));
  append(strings.data(), strings.size());
  append(symbols, sizeof(symbols));
  append(sections, sizeof(sections));
  return as_bytes(file);
}

template <class Header>
void patch(std::vector<std::byte>& file, std::size_t at, Header value) {
  std::memcpy(file.data() + at, &value, sizeof(value));
}

constexpr std::size_t kSections = sizeof(Elf64_Ehdr) + 24 + 2 * sizeof(Elf64_Sym);
std::size_t field(int section, std::size_t offset) {
  return kSections + section * sizeof(Elf64_Shdr) + offset;
}

} // namespace

TEST_CASE("sections are found by name, with their bytes") {
  const auto bytes = small_file();
  const File file(bytes);
  CHECK(file.machine() == 190);
  REQUIRE(file.sections().size() == 3);
  REQUIRE(file.find(".strtab"));
  CHECK(file.find(".strtab")->bytes.size() == 24);
  CHECK(file.find(".text") == nullptr);
}

TEST_CASE("symbols keep their indices, the null symbol first") {
  const auto bytes = small_file();
  const File file(bytes);
  const auto symbols = file.symbols(*file.find(".symtab"));
  REQUIRE(symbols.size() == 2);
  CHECK(symbols[0].name == "");
  CHECK_FALSE(symbols[0].defined());
  CHECK(symbols[1].name == "answer");
  CHECK(symbols[1].value == 42);
  CHECK(symbols[1].type == STT_FUNC);
  CHECK(symbols[1].defined());
}

TEST_CASE("the test's own executable is read as the linker made it") {
  const auto bytes = own_executable();
  const File file(bytes);
  CHECK(file.machine() == EM_X86_64);
  REQUIRE(file.find(".symtab"));
  bool found = false;
  for (const Symbol& symbol : file.symbols(*file.find(".symtab")))
    if (symbol.name == "elf_test_marker") {
      found = true;
      CHECK(read_at<int>(file.loaded(symbol.value, symbol.size), 0) == 0x5eed);
    }
  CHECK(found);
  CHECK_FALSE(file.dynamic_symbols().empty());
}

TEST_CASE("loaded bytes are found by address and never past their section") {
  const auto bytes = small_file();
  const File file(bytes);
  CHECK(file.loaded(0x1000 + 17, 6).size() == 6);
  CHECK_THROWS_AS(file.loaded(0x1000 + 17, 8), Malformed);
  CHECK_THROWS_AS(file.loaded(0xfff, 1), Malformed);
  CHECK_THROWS_AS(file.loaded(~0ull, ~0ull), Malformed);
}

TEST_CASE("what is not an ELF file is refused with the reason") {
  CHECK_THROWS_WITH_AS(File(View{}), "an ELF header: 64 bytes at offset 0 of 0", Malformed);
  auto bytes = small_file();
  bytes[0] = std::byte{'M'};
  CHECK_THROWS_AS(File{bytes}, Malformed);
  bytes = small_file();
  bytes[EI_CLASS] = std::byte{ELFCLASS32};
  CHECK_THROWS_WITH_AS(File{bytes}, "not a 64-bit little-endian ELF file", Malformed);
}

TEST_CASE("offsets and sizes that leave the file are refused, also those that wrap around") {
  auto bytes = small_file();
  patch(bytes, field(1, offsetof(Elf64_Shdr, sh_size)), ~std::uint64_t{0});
  CHECK_THROWS_AS(File{bytes}, Malformed);
  bytes = small_file();
  patch(bytes, field(2, offsetof(Elf64_Shdr, sh_offset)), ~std::uint64_t{0} - 8);
  CHECK_THROWS_AS(File{bytes}, Malformed);
  bytes = small_file();
  patch(bytes, offsetof(Elf64_Ehdr, e_shoff), ~std::uint64_t{0} - 8);
  CHECK_THROWS_AS(File{bytes}, Malformed);
  bytes = small_file();
  patch(bytes, offsetof(Elf64_Ehdr, e_shnum), std::uint16_t{4});
  CHECK_THROWS_AS(File{bytes}, Malformed);
  bytes = small_file();
  patch(bytes, offsetof(Elf64_Ehdr, e_shnum), std::uint16_t{0});
  patch(bytes, field(0, offsetof(Elf64_Shdr, sh_size)), std::uint64_t{1} << 60);
  CHECK_THROWS_AS(File{bytes}, Malformed);
}

TEST_CASE("a name past its table, or without an end, is refused") {
  auto bytes = small_file();
  patch(bytes, field(1, offsetof(Elf64_Shdr, sh_name)), std::uint32_t{24});
  CHECK_THROWS_AS(File{bytes}, Malformed);
  bytes = small_file();
  patch(bytes, field(1, offsetof(Elf64_Shdr, sh_size)), std::uint64_t{20});
  CHECK_THROWS_AS(
      [&] {
        const File file(bytes);
        file.symbols(*file.find(".symtab"));
      }(),
      Malformed);
}

TEST_CASE("a symbol table whose strings are no section is refused") {
  auto bytes = small_file();
  patch(bytes, field(2, offsetof(Elf64_Shdr, sh_link)), std::uint32_t{3});
  const File file(bytes);
  CHECK_THROWS_AS(file.symbols(*file.find(".symtab")), Malformed);
}

TEST_CASE("a name that would steer a terminal is harmless in a message") {
  auto bytes = small_file();
  const std::string escape = "\x1b]0;x\a";
  for (std::size_t i = 0; i < escape.size(); ++i)
    bytes[sizeof(Elf64_Ehdr) + 9 + i] = static_cast<std::byte>(escape[i]);
  patch(bytes, field(2, offsetof(Elf64_Shdr, sh_offset)), ~std::uint64_t{0});
  CHECK_THROWS_WITH_AS(File{bytes}, doctest::Contains("section 2 (?]0;x?b):"), Malformed);
}

TEST_CASE("sections without bytes in the file have none, whatever their size says") {
  auto bytes = small_file();
  patch(bytes, field(2, offsetof(Elf64_Shdr, sh_type)), std::uint32_t{SHT_NOBITS});
  patch(bytes, field(2, offsetof(Elf64_Shdr, sh_size)), std::uint64_t{1} << 40);
  const File file(bytes);
  CHECK(file.find(".symtab")->bytes.empty());
  CHECK(file.symbols(*file.find(".symtab")).empty());
}

TEST_CASE("no damage to a file does more than make it malformed") {
  const auto whole = small_file();
  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    auto bytes = whole;
    for (int edits = 1 + random() % 4; edits > 0; --edits)
      bytes[random() % bytes.size()] = std::byte(random() % 2 ? random() : 0xff);
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    try {
      const File file(bytes);
      for (const Section& section : file.sections()) file.symbols(section);
    } catch (const Malformed&) {
      ++refused;
    }
  }
  CHECK(refused > 1'000);
}

} // namespace course::elf
