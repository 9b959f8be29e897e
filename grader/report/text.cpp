#include "report/text.hpp"

#include <algorithm>
#include <cstdint>

namespace course::report {
namespace {

constexpr std::size_t kTab = 8;

bool is_continuation(unsigned char byte) {
  return (byte & 0xc0) == 0x80;
}

// Bytes of the code point that starts the text; 0 when it is not UTF-8.
std::size_t length_of_first(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80             ? 1
                             : (lead & 0xe0) == 0xc0 ? 2
                             : (lead & 0xf0) == 0xe0 ? 3
                             : (lead & 0xf8) == 0xf0 ? 4
                                                     : 0;
  if (length == 0 || length > text.size()) return 0;
  std::uint32_t point = length == 1 ? lead : lead & (0x7f >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (!is_continuation(byte)) return 0;
    point = point << 6 | (byte & 0x3f);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xd800 && point < 0xe000;
  return point < kLeast[length] || surrogate || point > 0x10ffff ? 0 : length;
}

// Code points that move the cursor, or turn the direction of the text after them.
bool steers(std::string_view point) {
  const auto first = static_cast<unsigned char>(point[0]);
  if (point.size() == 1) return first < 0x20 || first == 0x7f;
  const auto second = static_cast<unsigned char>(point[1]);
  if (point.size() == 2) return first == 0xc2 && second < 0xa0; // C1 controls
  if (point.size() != 3 || first != 0xe2) return false;
  const auto third = static_cast<unsigned char>(point[2]);
  const bool embedding = second == 0x80 && third >= 0xaa && third <= 0xae;
  const bool isolate = second == 0x81 && third >= 0xa6 && third <= 0xa9;
  const bool separator = second == 0x80 && (third == 0xa8 || third == 0xa9);
  const bool mark = second == 0x80 && (third == 0x8e || third == 0x8f);
  return embedding || isolate || separator || mark;
}

constexpr std::string_view kNoBreak = "\u00a0";

// No-break spaces as the spaces that they stand for.
std::string spaced(std::string_view text) {
  std::string plain;
  for (auto at = text.find(kNoBreak); at != text.npos; at = text.find(kNoBreak)) {
    plain.append(text.substr(0, at)).push_back(' ');
    text.remove_prefix(at + kNoBreak.size());
  }
  return plain.append(text);
}

// What stays on one line, and whether a space stands before it.
struct Piece {
  std::string text;
  bool spaced = true;
};

constexpr std::string_view kOpening = "(（[【{“‘《「";
constexpr std::string_view kClosing = ")）]】}”’》」,，.。;；:：?？!！、…%";

// A wide mark is half empty, and is its own space.
constexpr std::string_view kOwnSpace = "，。；：？！、";
constexpr std::size_t kBytesOfMark = 3; // of each of those, in UTF-8

bool one_of(std::string_view point, std::string_view all) {
  return all.find(point) != all.npos;
}

bool ends_in_its_own_space(std::string_view line) {
  return line.size() >= kBytesOfMark && one_of(line.substr(line.size() - kBytesOfMark), kOwnSpace);
}

// A line may be broken at spaces, and before and after a wide character, but for marks that belong
// to what is before or behind them.
void add_pieces(std::vector<Piece>& pieces, std::string_view word) {
  bool wide = false, open = false;
  for (bool begins = true; !word.empty(); begins = false) {
    const auto shape = language::first(word);
    const auto point = word.substr(0, shape.bytes);
    word.remove_prefix(shape.bytes);
    const bool is_wide = shape.columns > 1;
    const bool breaks = (wide || is_wide) && !open && !one_of(point, kClosing);
    if (begins || breaks) pieces.push_back({"", begins});
    pieces.back().text += point;
    wide = is_wide;
    open = one_of(point, kOpening);
  }
}

void add_words(std::vector<Piece>& pieces, std::string_view text) {
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
    if (text.empty()) return;
    const auto word = text.substr(0, text.find_first_of(" \n"));
    add_pieces(pieces, word);
    text.remove_prefix(word.size());
  }
}

// What is longer than a line may be broken after all, at its no-break spaces.
std::vector<Piece> pieces_of(std::string_view text, std::size_t room) {
  std::vector<Piece> all, pieces;
  add_words(all, text);
  for (auto& piece : all) {
    if (columns(piece.text) <= room || piece.text.find(kNoBreak) == std::string::npos) {
      pieces.push_back(std::move(piece));
      continue;
    }
    const auto at = pieces.size();
    add_words(pieces, spaced(piece.text));
    if (at < pieces.size()) pieces[at].spaced = piece.spaced;
  }
  return pieces;
}

} // namespace

std::string printable(std::string_view text) {
  std::string clean;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t length = length_of_first(text);
    const auto point = text.substr(0, std::max<std::size_t>(length, 1));
    text.remove_prefix(point.size());
    if (point == "\n") {
      clean += '\n';
      column = 0;
    } else if (point == "\t") {
      const auto spaces = kTab - column % kTab;
      clean.append(spaces, ' ');
      column += spaces;
    } else {
      clean += length == 0 || steers(point) ? std::string_view("?") : point;
      ++column;
    }
  }
  return clean;
}

std::string wrapped(std::string_view text, int width, int indent) {
  const auto room = static_cast<std::size_t>(std::max(width - indent, 10));
  const std::string margin(indent, ' ');
  std::string out, line;
  const auto flush = [&] {
    if (!line.empty()) out += margin + spaced(line) + '\n';
    line.clear();
  };
  for (const auto& piece : pieces_of(text, room)) {
    std::string_view rest = piece.text;
    const std::size_t gap = piece.spaced && !line.empty() && !ends_in_its_own_space(line) ? 1 : 0;
    if (!line.empty() && columns(line) + gap + columns(rest) > room) flush();
    while (columns(rest) > room) {
      line = language::head(rest, room);
      rest.remove_prefix(line.size());
      flush();
    }
    if (rest.empty()) continue;
    if (!line.empty()) line.append(gap, ' ');
    line += rest;
  }
  flush();
  return out;
}

std::string tightened(std::string_view text) {
  std::string kept;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool alone = text[i] == ' ' && text.substr(i + 1, 1) != " ";
    if (!alone || !ends_in_its_own_space(kept)) kept += text[i];
  }
  return kept;
}

std::string unbroken(std::string_view text) {
  std::string kept;
  for (const char byte : text) kept += byte == ' ' ? std::string(kNoBreak) : std::string(1, byte);
  return kept;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string inked(std::string_view text, Ink ink, const Terminal& terminal) {
  const char* code = ink == Ink::bold     ? "1"
                     : ink == Ink::faint  ? "2"
                     : ink == Ink::red    ? "1;31"
                     : ink == Ink::green  ? "32"
                     : ink == Ink::yellow ? "33"
                                          : nullptr;
  if (!terminal.colour || !code) return std::string(text);
  return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
}

} // namespace course::report
