// How libFuzzer changes PTX: by line and by instruction, since changed bytes rarely parse.
//
// Opcodes come from the forms that are executed, with registers of the right size among those that
// the text declares.
#include "device/emulator/decode/instruction_set.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <random>
#include <sstream>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size, std::size_t most);

namespace course::emulator {
namespace {

using Random = std::minstd_rand;
using Lines = std::vector<std::string>;

std::size_t below(Random& random, std::size_t bound) {
  return bound == 0 ? 0 : random() % bound;
}
template <class Values>
const auto& one_of(Random& random, const Values& values) {
  return values[below(random, std::size(values))];
}

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    lines.emplace_back(line);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return lines;
}

bool is_instruction(const std::string& line) {
  const auto first = line.find_first_not_of(" \t");
  return first != line.npos && line[first] != '.' && line.ends_with(';');
}

// ".reg .b32 %r<12>;": twelve registers for the letters that a form gives 32-bit operands.
struct Declared {
  std::string prefix, letters;
  unsigned count = 1;
};

std::vector<Declared> declared_in(const Lines& lines) {
  std::vector<Declared> all;
  for (const auto& line : lines) {
    std::istringstream words(line);
    std::string reg, type, name;
    if (!(words >> reg >> type >> name) || reg != ".reg") continue;
    const auto open = name.find('<');
    if (open == name.npos) continue;
    const auto count = std::strtoul(name.c_str() + open + 1, nullptr, 10);
    const char* letters = type == ".pred"        ? "p"
                          : type.ends_with("16") ? "bh"
                          : type.ends_with("32") ? "bw"
                          : type.ends_with("64") ? "d"
                                                 : "";
    all.push_back(
        {name.substr(0, open), letters, static_cast<unsigned>(std::clamp(count, 1ul, 64ul))});
  }
  return all;
}

std::string number(Random& random) {
  static constexpr const char* kNumbers[] = {"0",
                                             "1",
                                             "2",
                                             "4",
                                             "7",
                                             "8",
                                             "16",
                                             "31",
                                             "32",
                                             "33",
                                             "63",
                                             "64",
                                             "128",
                                             "255",
                                             "-1",
                                             "-2",
                                             "2147483647",
                                             "-2147483648",
                                             "4294967295",
                                             "0x8000000000000000",
                                             "0f3F800000",
                                             "0f7FC00000",
                                             "0fFF800000",
                                             "0d3FF0000000000000",
                                             "0d7FF8000000000000"};
  return one_of(random, kNumbers);
}

std::string operand(Random& random, char letter, const std::vector<Declared>& registers) {
  std::vector<const Declared*> fit;
  for (const auto& declared : registers)
    if (declared.letters.find(letter) != std::string::npos) fit.push_back(&declared);
  if (letter == 'i' || fit.empty() || below(random, 12) == 0) return number(random);
  const Declared& chosen = *one_of(random, fit);
  return chosen.prefix + std::to_string(below(random, chosen.count));
}

std::string form_instruction(Random& random, const std::vector<Declared>& registers) {
  static const auto all = [] {
    std::vector<std::pair<std::string, std::string>> names; // and operands, in a fixed order
    for (const auto& [name, form] : forms().all()) names.emplace_back(name, form.operands);
    std::sort(names.begin(), names.end());
    return names;
  }();
  const auto& [name, operands] = one_of(random, all);
  std::string text = name;
  for (std::size_t i = 0; i < operands.size(); ++i)
    text += (i == 0 ? " " : ", ") + operand(random, operands[i], registers);
  return text + ";";
}

// What no form is: control flow, memory and warps.
std::string other_instruction(Random& random, const std::vector<Declared>& registers) {
  static constexpr const char* kTemplates[] = {
      "ld.global.u32 W, [D+4];",
      "st.global.u32 [D], W;",
      "ld.shared.u32 W, [W];",
      "st.shared.v2.u32 [W], {W, W};",
      "atom.global.add.u32 W, [D], W;",
      "red.shared.min.s32 [W], W;",
      "atom.shared.cas.b64 D, [W], D, D;",
      "shfl.sync.bfly.b32 W|P, W, 1, 31, -1;",
      "vote.sync.ballot.b32 W, P, W;",
      "match.all.sync.b32 W|P, W, -1;",
      "redux.sync.add.s32 W, W, -1;",
      "bar.sync 0;",
      "barrier.sync W, 64;",
      "bar.warp.sync W;",
      "activemask.b32 W;",
      "mov.u32 W, %tid.x;",
      "mov.b64 {W, W}, D;",
      "setp.lt.s32 P, W, W;",
      "cvta.to.global.u64 D, D;",
      "cvta.shared.u64 D, D;",
      "ld.u32 W, [D];",
      "prmt.b32 W, W, W, W;",
      "cp.async.ca.shared.global [W], [D], 4;",
      "cp.async.wait_all;",
      "membar.gl;",
      "trap;",
      "exit;",
      "ret;",
      "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {W, W}, [W];",
      "isspacep.shared P, D;",
      "mov.u32 W, %clock;",
      "bar.red.popc.u32 W, 0, P;",
      "ld.local.u8 W, [D];",
      "nanosleep.u32 W;"};
  const std::string_view pattern = one_of(random, kTemplates);
  std::string text;
  for (const char c : pattern)
    if (c == 'W' || c == 'D' || c == 'P')
      text += operand(random, static_cast<char>(c + 'a' - 'A'), registers);
    else
      text += c;
  return text;
}

void change_word(Random& random, std::string& line, const Lines& lines) {
  const auto words = [](const std::string& text) {
    std::vector<std::pair<std::size_t, std::size_t>> found; // begin, length
    const char* kBetween = " \t,;[]{}()";
    for (std::size_t at = 0; (at = text.find_first_not_of(kBetween, at)) != text.npos;) {
      const auto end = std::min(text.find_first_of(kBetween, at), text.size());
      found.emplace_back(at, end - at);
      at = end;
    }
    return found;
  };
  const auto mine = words(line);
  const std::string& other = one_of(random, lines);
  const auto theirs = words(other);
  if (mine.empty() || theirs.empty()) return;
  const auto [at, length] = one_of(random, mine);
  const auto [from, size] = one_of(random, theirs);
  line.replace(at, length, below(random, 4) == 0 ? number(random) : other.substr(from, size));
}

void mutate(Random& random, Lines& lines) {
  const auto at = below(random, lines.size());
  const auto place = lines.begin() + static_cast<std::ptrdiff_t>(at);
  switch (below(random, 8)) {
  case 0:
    lines.erase(place);
    break;
  case 1:
    lines.insert(place, std::string(one_of(random, lines)));
    break;
  case 2:
    std::swap(*place, lines[below(random, lines.size())]);
    break;
  case 3:
  case 4:
    change_word(random, *place, lines);
    break;
  default: {
    const auto registers = declared_in(lines);
    const auto made = below(random, 3) ? form_instruction(random, registers)
                                       : other_instruction(random, registers);
    if (is_instruction(*place) && below(random, 2)) {
      *place = made;
    } else {
      lines.insert(place, made);
    }
  }
  }
}

std::size_t write(const Lines& lines, std::uint8_t* bytes, std::size_t most) {
  std::string text;
  for (const auto& line : lines) text.append(line).append("\n");
  const auto size = std::min(text.size(), most);
  std::memcpy(bytes, text.data(), size);
  return size;
}

} // namespace
} // namespace course::emulator

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size,
                                               std::size_t most, unsigned seed) {
  using namespace course::emulator;
  Random random(seed);
  auto lines = lines_of({reinterpret_cast<const char*>(bytes), size});
  if (lines.size() < 2 || below(random, 5) == 0) return LLVMFuzzerMutate(bytes, size, most);
  for (auto changes = 1 + below(random, 4); changes > 0 && !lines.empty(); --changes)
    mutate(random, lines);
  return write(lines, bytes, most);
}

// Some lines of the second among those of the first.
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t one_size,
                                                 const std::uint8_t* two, std::size_t two_size,
                                                 std::uint8_t* out, std::size_t most,
                                                 unsigned seed) {
  using namespace course::emulator;
  Random random(seed);
  auto lines = lines_of({reinterpret_cast<const char*>(one), one_size});
  const auto others = lines_of({reinterpret_cast<const char*>(two), two_size});
  if (others.empty()) return write(lines, out, most);
  const auto from = below(random, others.size());
  const auto count = 1 + below(random, std::min<std::size_t>(8, others.size() - from));
  const auto to = static_cast<std::ptrdiff_t>(below(random, lines.size() + 1));
  const auto first = others.begin() + static_cast<std::ptrdiff_t>(from);
  lines.insert(lines.begin() + to, first, first + static_cast<std::ptrdiff_t>(count));
  return write(lines, out, most);
}
