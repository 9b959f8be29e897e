#include "device/code/sass/line_program.hpp"
#include "device/code/sass/sample.hpp"

#include <algorithm>

namespace course::sass {
namespace {

constexpr std::string_view kPtxLines = ".nv_debug_line_sass";

std::size_t offset_of(const std::vector<std::byte>& cubin, const elf::Section& section) {
  return static_cast<std::size_t>(section.bytes.data() - cubin.data());
}

} // namespace

TEST_CASE("every instruction of every kernel has a line of the PTX") {
  const auto bytes = sample_cubin("accesses");
  const elf::File cubin(bytes);
  const LineIndex index(read_lines(cubin, kPtxLines));
  int instructions = 0;
  for (std::uint32_t i = 0; i < cubin.sections().size(); ++i) {
    const elf::Section& section = cubin.sections()[i];
    if (!section.name.starts_with(".text.")) continue;
    for (std::uint64_t at = 0; at < section.bytes.size(); at += 16) {
      const LineRow* row = index.find(i, at);
      REQUIRE(row);
      CHECK(row->line > 0);
      CHECK(row->address <= at);
      ++instructions;
    }
    CHECK(index.find(i, section.bytes.size()) == nullptr);
  }
  CHECK(instructions > 300);
}

TEST_CASE("the source lines name their files") {
  const auto bytes = sample_cubin("accesses");
  const LineTable table = read_lines(elf::File(bytes), ".debug_line");
  REQUIRE(!table.files.empty());
  CHECK(table.files[0] == "/tmp/corpus/accesses.cu");
  CHECK(std::all_of(table.rows.begin(), table.rows.end(), [&](const LineRow& row) {
    return row.file >= 1 && row.file <= table.files.size();
  }));
}

TEST_CASE("a cubin without line information has no lines") {
  const auto bytes = sample_cubin("accesses");
  const LineTable table = read_lines(elf::File(bytes), ".no_such_section");
  CHECK(table.rows.empty());
  CHECK(LineIndex(table).find(1, 0) == nullptr);
}

TEST_CASE("rows of two functions in one section do not mix") {
  LineTable table;
  table.rows = {
      {5, 32, 1, 20, false}, {5, 64, 1, 0, true}, {5, 0, 1, 10, false}, {5, 32, 1, 0, true}};
  const LineIndex index(table);
  CHECK(index.find(5, 16)->line == 10);
  CHECK(index.find(5, 32)->line == 20);
  CHECK(index.find(5, 63)->line == 20);
  CHECK(index.find(5, 64) == nullptr);
  CHECK(index.find(4, 16) == nullptr);
}

TEST_CASE("another version of DWARF is refused by its number") {
  auto bytes = sample_cubin("accesses");
  std::size_t version = 0;
  {
    const elf::File cubin(bytes);
    version = offset_of(bytes, *cubin.find(kPtxLines)) + 4;
  }
  bytes[version] = std::byte{5};
  const elf::File changed(bytes);
  CHECK_THROWS_WITH_AS(read_lines(changed, kPtxLines),
                       "line information in version 5 of DWARF; 2 is known here", elf::Malformed);
}

TEST_CASE("a line program that is cut short, or has no range, is malformed") {
  const auto original = sample_cubin("accesses");
  const elf::File cubin(original);
  const std::size_t begin = offset_of(original, *cubin.find(kPtxLines));
  auto bytes = original;
  bytes[begin + 13] = std::byte{0}; // the range of lines
  CHECK_THROWS_AS(read_lines(elf::File(bytes), kPtxLines), elf::Malformed);
  bytes = original;
  for (int i = 0; i < 4; ++i) bytes[begin + i] = std::byte{0xff}; // its length
  CHECK_THROWS_AS(read_lines(elf::File(bytes), kPtxLines), elf::Malformed);
  bytes = original;
  bytes[begin + 6] = std::byte{0xff}; // the length of its header
  bytes[begin + 8] = std::byte{0xff};
  CHECK_THROWS_AS(read_lines(elf::File(bytes), kPtxLines), elf::Malformed);
}

} // namespace course::sass
