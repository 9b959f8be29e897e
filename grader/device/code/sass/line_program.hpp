// DWARF 2 line programs of a cubin: which line each instruction comes from.
//
// Source: DWARF 2.0.0, section 6.2. NVIDIA adds extended opcodes (0x90: inlined at, 0x91: function
// name), which are skipped by their length. The programs are not linked: each sequence begins at a
// function's symbol, named by a relocation.
#pragma once

#include "elf/elf_file.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace course::sass {

struct LineRow {
  std::uint32_t section = 0; // index of the code's section
  std::uint64_t address = 0; // in that section
  std::uint32_t file = 0;    // 1-based index into files; 0 in programs that name none
  std::uint32_t line = 0;
  bool end = false; // of a sequence: no instruction begins here
};

struct LineTable {
  std::vector<std::string> files; // the first is file 1
  std::vector<LineRow> rows;      // in the order of the section; rows of a sequence by address
};

// Empty when the cubin has no such section. Throws elf::Malformed, for other versions of DWARF too.
LineTable read_lines(const elf::File& cubin, std::string_view section);

// The row of each instruction in a section of code.
class LineIndex {
public:
  explicit LineIndex(LineTable);
  // nullptr when no row covers the address.
  const LineRow* find(std::uint32_t section, std::uint64_t address) const;

private:
  std::vector<LineRow> rows_; // sorted by section and address
};

} // namespace course::sass
