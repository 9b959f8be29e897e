#include "report/quote.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

namespace course::report {
namespace {

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// One `name[…][…]` in a line.
struct Subscript {
  std::string name;
  std::size_t start = 0, end = 0;
  bool inside = false; // it is itself an index
};

// The end of the brackets that open at `at`; npos when they do not close in this line.
std::size_t closing(std::string_view line, std::size_t at) {
  int depth = 0;
  for (; at < line.size(); ++at) {
    if (line[at] == '[') ++depth;
    if (line[at] == ']' && --depth == 0) return at;
  }
  return line.npos;
}

std::vector<Subscript> subscripts(std::string_view line) {
  std::vector<Subscript> found;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line.substr(at).starts_with("//")) break;
    if (line[at] != '[' || at == 0 || !is_name(line[at - 1])) continue;
    std::size_t start = at;
    while (start > 0 && is_name(line[start - 1])) --start;
    std::size_t end = at;
    while (end < line.size() && line[end] == '[') {
      const auto close = closing(line, end);
      if (close == line.npos) return found;
      end = close + 1;
    }
    const bool inside = !found.empty() && start < found.back().end;
    found.push_back({std::string(line.substr(start, at - start)), start, end, inside});
  }
  return found;
}

// The name before a bracket at `at`, blanks between them skipped; where it starts, too.
std::string_view name_before(std::string_view text, std::size_t at, std::size_t& start) {
  std::size_t end = at;
  while (end > 0 && text[end - 1] == ' ') --end;
  start = end;
  while (start > 0 && is_name(text[start - 1])) --start;
  return text.substr(start, end - start);
}

// Names that the file declares as `__shared__ type name[`, or after a comma in such a statement.
std::set<std::string> shared_names(std::string_view source) {
  constexpr std::string_view kShared = "__shared__";
  std::set<std::string> names;
  for (auto at = source.find(kShared); at != source.npos; at = source.find(kShared, at + 1)) {
    const auto statement = source.substr(at, source.find(';', at) - at);
    int depth = 0;
    for (std::size_t i = 0; i < statement.size(); ++i) {
      const bool first = statement[i] == '[' && depth == 0 && (i == 0 || statement[i - 1] != ']');
      std::size_t start = 0;
      if (first) names.emplace(name_before(statement, i, start));
      if (statement[i] == '[' || statement[i] == '(') ++depth;
      if (statement[i] == ']' || statement[i] == ')') --depth;
    }
  }
  return names;
}

// Names that the file declares as `type name[` and neither shared nor as a variable of the device:
// arrays of a thread's own.
std::set<std::string> local_names(std::string_view source) {
  std::set<std::string> names;
  for (auto at = source.find('['); at != source.npos; at = source.find('[', at + 1)) {
    std::size_t start = 0, type = 0;
    const auto name = name_before(source, at, start);
    if (name.empty() || start == 0 || source[start - 1] != ' ') continue;
    const auto word = name_before(source, start, type);
    const bool operates = word.empty() || word == "return" || word == "else" || word == "case";
    const auto begin = source.find_last_of(";{}", start);
    const auto statement = source.substr(begin == source.npos ? 0 : begin + 1, start - begin - 1);
    if (!operates && statement.find("__") == statement.npos) names.emplace(name);
  }
  return names;
}

// The first `=` that assigns; npos without one.
std::size_t assignment(std::string_view line) {
  for (std::size_t at = 1; at + 1 < line.size(); ++at) {
    if (line[at] != '=' || line[at + 1] == '=') continue;
    if (std::string_view("=!<>").find(line[at - 1]) == std::string_view::npos) return at;
  }
  return line.npos;
}

std::optional<std::string> line_at(std::string_view source, std::uint32_t line) {
  std::string text(source);
  std::erase(text, '\r'); // of an editor that ends lines as Windows does
  const auto lines = lines_of(printable(text));
  if (line == 0 || line > lines.size()) return std::nullopt;
  return lines[line - 1];
}

// A byte a column, so that a line can be cut anywhere.
std::string ascii(std::string_view text) {
  std::string plain;
  for (const char byte : text) {
    const bool continues = (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
    if (!continues) plain += static_cast<unsigned char>(byte) < 0x80 ? byte : '?';
  }
  return plain;
}

constexpr std::string_view kEllipsis = "...";

// Cuts a line down to `room` columns around its underlined part.
void shorten(std::string& text, std::optional<Underline>& under, std::size_t room) {
  text = ascii(text);
  const auto end = under ? under->start + under->length : 0;
  if (under && end + kEllipsis.size() > room) {
    const auto wanted = end + 2 * kEllipsis.size() - room;
    const auto cut = std::min(under->start - std::min(under->start, kEllipsis.size()), wanted);
    text = cut == 0 ? text : std::string(kEllipsis) + text.substr(cut + kEllipsis.size());
    under->start -= cut;
  }
  if (text.size() > room) text = text.substr(0, room - kEllipsis.size()) + std::string(kEllipsis);
  if (under) under->length = std::min(under->length, room - std::min(room, under->start));
}

} // namespace

std::optional<Underline> underline(std::string_view source, std::uint32_t line, model::Use use,
                                   const std::string& array) {
  const auto text = line_at(source, line);
  if (!text || !model::is_plain(use.memory)) return std::nullopt;
  const auto shared = shared_names(source), local = local_names(source);
  const auto assigned = assignment(*text);
  const bool updates =
      assigned != text->npos &&
      std::string_view("+-*/%&|^").find((*text)[assigned - 1]) != std::string_view::npos;
  std::optional<Underline> found;
  for (const auto& subscript : subscripts(*text)) {
    const bool is_shared = shared.count(subscript.name) > 0;
    const bool is_stored = assigned != text->npos && subscript.end <= assigned && !subscript.inside;
    if (is_shared != (use.memory == model::Memory::shared)) continue;
    if (is_shared && !array.empty() && subscript.name != array) continue;
    if (!is_shared && local.count(subscript.name) > 0) continue;
    const bool both = is_stored && updates; // tile[x] += 1 loads and stores
    if (!both && is_stored != (use.direction == model::Direction::store)) continue;
    if (found) return std::nullopt;
    found = Underline{
        columns(std::string_view(*text).substr(0, subscript.start)),
        columns(std::string_view(*text).substr(subscript.start, subscript.end - subscript.start))};
  }
  return found;
}

std::string quote(std::string_view source, std::uint32_t line, std::optional<Underline> under,
                  const Terminal& terminal) {
  auto text = line_at(source, line);
  if (!text) return "";
  const auto number = fmt::format("{:>5} | ", line);
  const auto room = static_cast<std::size_t>(std::max(terminal.columns, 40)) - number.size();
  if (columns(*text) > room) shorten(*text, under, room);
  std::string out = inked(number, Ink::faint, terminal) + *text + "\n";
  if (under)
    out += inked("      | ", Ink::faint, terminal) + std::string(under->start, ' ') +
           inked(std::string(under->length, '~'), Ink::red, terminal) + "\n";
  return out;
}

} // namespace course::report
