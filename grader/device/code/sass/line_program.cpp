#include "device/code/sass/line_program.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace course::sass {
namespace {

using elf::Malformed;

// Reads forward through some bytes; throws Malformed at their end.
class Cursor {
public:
  Cursor(elf::View bytes, std::uint64_t position, std::uint64_t end)
      : bytes_(bytes), position_(position), end_(end) {
    if (position > end || end > bytes.size()) throw Malformed("a line program that is cut short");
  }

  std::uint64_t position() const { return position_; }
  bool done() const { return position_ >= end_; }
  void go_to(std::uint64_t position) {
    if (position < position_ || position > end_) throw Malformed("a line program out of bounds");
    position_ = position;
  }

  template <class T>
  T take() {
    if (end_ - position_ < sizeof(T)) throw Malformed("a line program that is cut short");
    const T value = elf::read_at<T>(bytes_, position_);
    position_ += sizeof(T);
    return value;
  }
  std::uint64_t unsigned_leb() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = take<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
  }
  std::int64_t signed_leb() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = take<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte >= 0x80) continue;
      if ((byte & 0x40) != 0 && shift + 7 < 64) value |= ~std::uint64_t{0} << (shift + 7);
      return static_cast<std::int64_t>(value);
    }
  }
  std::string text() {
    std::string result;
    while (const char c = take<char>()) result += c;
    return result;
  }

private:
  elf::View bytes_;
  std::uint64_t position_, end_;
};

// Names repeat their folder, so that a small table could otherwise fill the memory.
constexpr std::size_t kMostFiles = 10'000;
constexpr std::size_t kLongestName = 4096;

struct Origin { // where a sequence's addresses count from
  std::uint32_t section = 0;
  std::uint64_t address = 0;
};
using Origins = std::map<std::uint64_t, Origin>; // by offset of the address in the program

Origins origins(const elf::File& cubin, std::string_view section) {
  Origins result;
  const elf::Section* relocations = cubin.find(".rela" + std::string(section));
  const elf::Section* table = cubin.find(".symtab");
  if (!relocations || !table) return result;
  const std::vector<elf::Symbol> symbols = cubin.symbols(*table);
  struct Rela {
    std::uint64_t offset, info;
    std::int64_t addend;
  };
  for (std::uint64_t at = 0; at < relocations->bytes.size(); at += sizeof(Rela)) {
    const auto entry = elf::read_at<Rela>(relocations->bytes, at);
    const std::uint64_t symbol = entry.info >> 32;
    if (symbol >= symbols.size()) throw Malformed("a relocation of a symbol that is not there");
    result[entry.offset] = {symbols[symbol].section,
                            symbols[symbol].value + static_cast<std::uint64_t>(entry.addend)};
  }
  return result;
}

struct Header {
  std::uint8_t minimum_length = 1;
  std::int8_t line_base = 0;
  std::uint8_t line_range = 1;
  std::uint8_t opcode_base = 1;
  std::vector<std::uint8_t> operands; // of each standard opcode, from 1
};

enum Standard : std::uint8_t {
  extended = 0,
  copy = 1,
  advance_pc = 2,
  advance_line = 3,
  set_file = 4,
  const_add_pc = 8,
  fixed_advance_pc = 9,
};
enum Extended : std::uint8_t { end_sequence = 1, set_address = 2 };

class Program {
public:
  Program(elf::View bytes, std::uint64_t begin, std::uint64_t end, const Origins& origins_by_offset,
          LineTable& table)
      : cursor_(bytes, begin, end), origins_(origins_by_offset), table_(table) {}

  void run() {
    read_header();
    while (!cursor_.done()) step();
  }

private:
  void read_header();
  void step();
  void extended_opcode();
  void emit(bool end = false) {
    table_.rows.push_back(
        {section_, address_, first_file_ + file_, static_cast<std::uint32_t>(line_), end});
  }
  void begin_sequence() {
    section_ = 0;
    address_ = 0;
    file_ = 1;
    line_ = 1;
  }

  Cursor cursor_;
  const Origins& origins_;
  LineTable& table_;
  Header header_;
  std::uint32_t first_file_ = 0; // files of the programs before this one

  std::uint32_t section_ = 0;
  std::uint64_t address_ = 0;
  std::uint32_t file_ = 1;
  std::uint64_t line_ = 1; // wraps; a table that does is wrong, not dangerous
};

void Program::read_header() {
  const auto length = cursor_.take<std::uint32_t>();
  const auto version = cursor_.take<std::uint16_t>();
  if (version != 2) {
    throw Malformed("line information in version " + std::to_string(version) +
                    " of DWARF; 2 is known here");
  }
  (void)length; // the caller's `end`
  const auto header_length = cursor_.take<std::uint32_t>();
  const std::uint64_t program = cursor_.position() + header_length;
  header_.minimum_length = cursor_.take<std::uint8_t>();
  cursor_.take<std::uint8_t>(); // whether rows are statements by default
  header_.line_base = cursor_.take<std::int8_t>();
  header_.line_range = cursor_.take<std::uint8_t>();
  header_.opcode_base = cursor_.take<std::uint8_t>();
  if (header_.line_range == 0 || header_.opcode_base == 0) {
    throw Malformed("a line program with a range of 0");
  }
  for (int i = 1; i < header_.opcode_base; ++i) {
    header_.operands.push_back(cursor_.take<std::uint8_t>());
  }
  first_file_ = static_cast<std::uint32_t>(table_.files.size());
  std::vector<std::string> folders;
  for (std::string name = cursor_.text(); !name.empty(); name = cursor_.text()) {
    folders.push_back(std::move(name));
  }
  for (std::string name = cursor_.text(); !name.empty(); name = cursor_.text()) {
    const std::uint64_t folder = cursor_.unsigned_leb();
    cursor_.unsigned_leb(); // time
    cursor_.unsigned_leb(); // size
    if (folder >= 1 && folder <= folders.size()) name = folders[folder - 1] + "/" + name;
    if (table_.files.size() == kMostFiles || name.size() > kLongestName) {
      throw Malformed("line information with too many or too long names of files");
    }
    table_.files.push_back(std::move(name));
  }
  cursor_.go_to(program);
}

void Program::step() {
  const auto opcode = cursor_.take<std::uint8_t>();
  const auto advance = [&](std::uint64_t operations) {
    address_ += operations * header_.minimum_length;
  };
  if (opcode >= header_.opcode_base) {
    const int special = opcode - header_.opcode_base;
    advance(static_cast<std::uint64_t>(special / header_.line_range));
    line_ += static_cast<std::uint64_t>(header_.line_base + special % header_.line_range);
    return emit();
  }
  switch (opcode) {
  case extended:
    return extended_opcode();
  case copy:
    return emit();
  case advance_pc:
    return advance(cursor_.unsigned_leb());
  case advance_line:
    line_ += static_cast<std::uint64_t>(cursor_.signed_leb());
    return;
  case set_file:
    file_ = static_cast<std::uint32_t>(cursor_.unsigned_leb());
    return;
  case const_add_pc:
    return advance(static_cast<std::uint64_t>((255 - header_.opcode_base) / header_.line_range));
  case fixed_advance_pc:
    address_ += cursor_.take<std::uint16_t>();
    return;
  default: // columns, basic blocks, and opcodes of later versions
    for (int i = 0; i < header_.operands[opcode - 1]; ++i) cursor_.unsigned_leb();
  }
}

void Program::extended_opcode() {
  const std::uint64_t length = cursor_.unsigned_leb();
  if (length == 0) throw Malformed("an empty opcode in a line program");
  const std::uint64_t next = cursor_.position() + length;
  if (next < length) throw Malformed("a line program out of bounds");
  const auto opcode = cursor_.take<std::uint8_t>();
  if (opcode == end_sequence) {
    emit(true);
    begin_sequence();
  } else if (opcode == set_address) {
    const auto origin = origins_.find(cursor_.position());
    address_ = cursor_.take<std::uint64_t>();
    section_ = 0;
    if (origin != origins_.end()) {
      section_ = origin->second.section;
      address_ += origin->second.address;
    }
  }
  cursor_.go_to(next);
}

} // namespace

LineTable read_lines(const elf::File& cubin, std::string_view name) {
  LineTable table;
  const elf::Section* section = cubin.find(name);
  if (!section) return table;
  const Origins origins_by_offset = origins(cubin, name);
  std::uint64_t begin = 0;
  while (begin < section->bytes.size()) {
    const std::uint64_t length = elf::read_at<std::uint32_t>(section->bytes, begin);
    const std::uint64_t end = begin + 4 + length;
    Program(section->bytes, begin, end, origins_by_offset, table).run();
    begin = end;
  }
  return table;
}

LineIndex::LineIndex(LineTable table) : rows_(std::move(table.rows)) {
  // Where one sequence ends another may begin: its first row must be found.
  std::stable_sort(rows_.begin(), rows_.end(), [](const LineRow& a, const LineRow& b) {
    return std::tuple(a.section, a.address, !a.end) < std::tuple(b.section, b.address, !b.end);
  });
}

const LineRow* LineIndex::find(std::uint32_t section, std::uint64_t address) const {
  const auto above = std::upper_bound(rows_.begin(), rows_.end(), std::pair(section, address),
                                      [](const auto& key, const LineRow& row) {
                                        return key < std::pair(row.section, row.address);
                                      });
  if (above == rows_.begin()) return nullptr;
  const LineRow& row = *(above - 1);
  return row.section == section && !row.end ? &row : nullptr;
}

} // namespace course::sass
