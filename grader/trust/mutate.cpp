#include "trust/mutate.hpp"

#include "trust/dice.hpp"
#include "trust/slips.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>
#include <vector>

namespace course::trust {
namespace {

struct Piece {
  std::size_t at = 0, size = 0;
};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Words, numbers, runs of operators; without blanks and comments.
std::vector<Piece> pieces(std::string_view text) {
  std::vector<Piece> found;
  for (std::size_t i = 0; i < text.size();) {
    if (text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (std::isspace(static_cast<unsigned char>(text[i]))) {
      ++i;
      continue;
    }
    const std::size_t start = i++;
    while (is_word(text[start]) && i < text.size() && is_word(text[i])) ++i;
    found.push_back({start, i - start});
  }
  return found;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size() - 1) + 1;
    found.push_back(text.substr(at, end - at));
    at = end;
  }
  return found;
}

std::string together(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line;
  return text;
}

constexpr const char* kNumbers[] = {
    "0",    "1",    "-1",    "2",          "31",          "32",         "33",   "64",   "1023",
    "1024", "1025", "65536", "0x7fffffff", "2147483648u", "1ull << 40", "0.5f", "1e30f"};
constexpr const char* kOperators[] = {"+", "-", "*", "/", "%", "&", "|", "^", "<", ">", "=", "!"};
constexpr const char* kWords[] = {"threadIdx.x",
                                  "threadIdx.y",
                                  "blockIdx.x",
                                  "blockDim.x",
                                  "gridDim.x",
                                  "in",
                                  "out",
                                  "rows",
                                  "cols",
                                  "n",
                                  "i",
                                  "int",
                                  "float",
                                  "char",
                                  "double",
                                  "unsigned long long",
                                  "float4",
                                  "const",
                                  "__shared__",
                                  "__constant__",
                                  "__device__",
                                  "extern __shared__",
                                  "volatile",
                                  "if",
                                  "while",
                                  "for",
                                  "return",
                                  "__syncthreads()",
                                  "__syncwarp()",
                                  "clock64()",
                                  "nullptr",
                                  "__global__",
                                  "__launch_bounds__(1)",
                                  "static",
                                  "template",
                                  "asm(\"trap;\")",
                                  "__shfl_sync(-1, 1, 0)",
                                  "atomicAdd(out, 1.f)"};
constexpr std::string_view kBytes[] = {"\x1b[2J",
                                       "\xff",
                                       "\xe2\x80\xae",
                                       "{",
                                       "}",
                                       "(",
                                       ")",
                                       ";",
                                       "\"",
                                       "'",
                                       "\\",
                                       "#",
                                       "/*",
                                       "*/",
                                       "<<<",
                                       ">>>",
                                       std::string_view("\0", 1)};

void replace_piece(std::string& text, Dice& dice, const std::string& by) {
  const auto all = pieces(text);
  if (all.empty()) return;
  const auto& piece = dice.one_of(all);
  text.replace(piece.at, piece.size, by);
}

// A piece of the same kind as what it replaces: most results compile.
void replace_alike(std::string& text, Dice& dice) {
  const auto all = pieces(text);
  if (all.empty()) return;
  const auto& piece = dice.one_of(all);
  const auto first = static_cast<unsigned char>(text[piece.at]);
  const std::string by = std::isdigit(first)       ? dice.one_of(kNumbers)
                         : is_word(text[piece.at]) ? dice.one_of(kWords)
                                                   : dice.one_of(kOperators);
  text.replace(piece.at, piece.size, by);
}

void replace_by_other_piece(std::string& text, Dice& dice, const std::string& from) {
  const auto all = pieces(from);
  if (all.empty()) return;
  const auto& piece = dice.one_of(all);
  replace_piece(text, dice, from.substr(piece.at, piece.size));
}

void change_number(std::string& text, Dice& dice) {
  auto all = pieces(text);
  std::erase_if(
      all, [&](const Piece& p) { return !std::isdigit(static_cast<unsigned char>(text[p.at])); });
  if (all.empty()) return;
  const auto& piece = dice.one_of(all);
  text.replace(piece.at, piece.size, dice.one_of(kNumbers));
}

void change_lines(std::string& text, Dice& dice, const std::string& other) {
  auto all = lines(text);
  const auto others = lines(other);
  if (all.empty() || others.empty()) return;
  const auto at = static_cast<std::ptrdiff_t>(dice.below(all.size()));
  switch (dice.below(4)) {
  case 0:
    all.erase(all.begin() + at);
    break;
  case 1:
    all.insert(all.begin() + at, all[dice.below(all.size())]);
    break;
  case 2:
    std::swap(all[static_cast<std::size_t>(at)], all[dice.below(all.size())]);
    break;
  default:
    all.insert(all.begin() + at, dice.one_of(others));
  }
  text = together(all);
}

void change_bytes(std::string& text, Dice& dice) {
  if (text.empty()) return;
  const auto at = dice.below(text.size());
  switch (dice.below(4)) {
  case 0:
    text[at] = static_cast<char>(dice.below(256));
    break;
  case 1:
    text.erase(at, 1 + dice.below(16));
    break;
  case 2:
    text.resize(at);
    break;
  default:
    text.insert(at, dice.one_of(kBytes));
  }
}

void change(std::string& text, Dice& dice, const std::string& other) {
  switch (dice.below(8)) {
  case 0:
  case 1:
    return change_number(text, dice);
  case 2:
  case 3:
    return replace_alike(text, dice);
  case 4:
    return replace_by_other_piece(text, dice, text);
  case 5:
    return replace_by_other_piece(text, dice, other);
  case 6:
    return change_lines(text, dice, other);
  default:
    return change_bytes(text, dice);
  }
}

} // namespace

std::string mutated(const std::string& text, const std::string& other, std::uint64_t seed) {
  Dice dice(seed);
  std::string result = text;
  const bool slips = dice.below(4) > 0;
  // One change most often: what has many does not compile.
  std::size_t changes = 1;
  while (changes < 8 && dice.below(3) == 0) ++changes;
  for (std::size_t i = 0; i < changes; ++i)
    slips ? slip(result, dice) : change(result, dice, other);
  return result;
}

} // namespace course::trust
