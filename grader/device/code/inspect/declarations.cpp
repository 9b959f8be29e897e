#include "device/code/inspect/declarations.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <span>

namespace course::code {
namespace {

using Number = std::optional<std::uint64_t>;
using Tokens = std::span<const std::string>;

constexpr std::uint64_t kMost = 1u << 30; // of any number here: no product of two overflows
constexpr int kDeepest = 32;              // constants made of constants, and parentheses
constexpr std::size_t kLongestSource = 1u << 20;

bool is_name_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}
bool is_name(const std::string& token) {
  return !token.empty() && is_name_char(token[0]) &&
         !std::isdigit(static_cast<unsigned char>(token[0]));
}

// Names, numbers and marks; "\n" ends a #define. Comments and quoted text are left out. `lines` has
// the line of each.
std::vector<std::string> tokens_of(std::string_view text, std::vector<std::uint32_t>& lines) {
  std::vector<std::string> tokens;
  bool directive = false;
  std::size_t counted = 0;
  std::uint32_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    for (; counted < at; ++counted) line += text[counted] == '\n' ? 1 : 0;
    lines.resize(tokens.size(), line);
    if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at, 2) == "/*") {
      const auto end = text.find("*/", at + 2);
      at = end == text.npos ? text.size() : end + 2;
    } else if (c == '"' || (c == '\'' && (at == 0 || !is_name_char(text[at - 1])))) {
      for (++at; at < text.size() && text[at] != c && text[at] != '\n'; ++at)
        if (text[at] == '\\') ++at;
      ++at;
    } else if (c == '\n') {
      if (directive) tokens.emplace_back("\n");
      directive = false;
      ++at;
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      ++at;
    } else if (is_name_char(c)) {
      std::size_t end = at;
      while (end < text.size() && (is_name_char(text[end]) || text[end] == '\'')) ++end;
      tokens.emplace_back(text.substr(at, end - at));
      at = end;
    } else {
      const bool two = text.substr(at, 2) == "::" || text.substr(at, 2) == "<<" ||
                       text.substr(at, 2) == ">>" || text.substr(at, 2) == "==";
      directive = directive || c == '#';
      tokens.emplace_back(text.substr(at, two ? 2 : 1));
      at += two ? 2 : 1;
    }
    lines.resize(tokens.size(), line);
  }
  return tokens;
}

Number number(std::string token) {
  std::erase(token, '\'');
  while (!token.empty() && std::string_view("uUlLzZ").find(token.back()) != std::string_view::npos)
    token.pop_back();
  const bool hex = token.starts_with("0x") || token.starts_with("0X");
  if (hex) token = token.substr(2);
  if (token.empty() || token.size() > 10 || (!hex && token.size() > 1 && token[0] == '0'))
    return std::nullopt;
  const auto fits = [&](unsigned char c) { return hex ? std::isxdigit(c) : std::isdigit(c); };
  if (!std::all_of(token.begin(), token.end(), fits)) return std::nullopt;
  const std::uint64_t value = std::stoull(token, nullptr, hex ? 16 : 10);
  return value < kMost ? Number(value) : std::nullopt;
}

// Bytes of a type by its name; 0 for one that is not built in.
std::uint64_t size_of_type(const std::string& name) {
  static const std::map<std::string, std::uint64_t> sizes = {
      {"char", 1},           {"bool", 1},     {"short", 2},         {"int", 4},     {"unsigned", 4},
      {"signed", 4},         {"float", 4},    {"double", 8},        {"long", 8},    {"size_t", 8},
      {"half", 2},           {"__half", 2},   {"__nv_bfloat16", 2}, {"half2", 4},   {"__half2", 4},
      {"__nv_bfloat162", 4}, {"int8_t", 1},   {"uint8_t", 1},       {"int16_t", 2}, {"uint16_t", 2},
      {"int32_t", 4},        {"uint32_t", 4}, {"int64_t", 8},       {"uint64_t", 8}};
  if (const auto known = sizes.find(name); known != sizes.end()) return known->second;
  // float4, uchar2, longlong2: CUDA's vectors, which are as large as their parts.
  if (name.size() < 4 || name.back() < '1' || name.back() > '4') return 0;
  static const std::map<std::string, std::uint64_t> parts = {
      {"char", 1},  {"uchar", 1}, {"short", 2}, {"ushort", 2},   {"int", 4},       {"uint", 4},
      {"float", 4}, {"long", 8},  {"ulong", 8}, {"longlong", 8}, {"ulonglong", 8}, {"double", 8}};
  const auto part = parts.find(name.substr(0, name.size() - 1));
  return part == parts.end() ? 0 : part->second * static_cast<std::uint64_t>(name.back() - '0');
}

// The constants of a file: constexpr int, const int, enumerators' values and #define.
class Constants {
public:
  explicit Constants(const std::vector<std::string>& tokens) {
    for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
      if (tokens[i] == "template" && tokens[i + 1] == "<") leave_out_parameters(tokens, i + 1);
      if (tokens[i] == "#" && tokens[i + 1] == "define" && is_name(tokens[i + 2]))
        add(tokens, i + 2, i + 3, "\n");
      const bool constant = tokens[i] == "constexpr" || tokens[i] == "const";
      if (constant) add_all(tokens, i + 1);
    }
  }

  // Nothing when the expression is of more than is known here.
  Number value(Tokens expression, int depth = 0) const {
    std::size_t at = 0;
    const Number result = shift(expression, at, depth);
    return at == expression.size() ? result : std::nullopt;
  }

private:
  void add(const std::vector<std::string>& tokens, std::size_t name, std::size_t first,
           std::string_view end) {
    std::size_t last = first;
    while (last < tokens.size() && tokens[last] != end && tokens[last] != ";") ++last;
    const std::vector<std::string> expression(tokens.begin() + static_cast<std::ptrdiff_t>(first),
                                              tokens.begin() + static_cast<std::ptrdiff_t>(last));
    const auto [known, fresh] = expressions_.try_emplace(tokens[name], expression);
    if (!fresh && known->second != expression) unknown_.insert(tokens[name]);
  }
  // "int kTile = 32, kRows = kTile / 4;": each name before a "=" that is in no brackets.
  void add_all(const std::vector<std::string>& tokens, std::size_t at) {
    int depth = 0;
    for (; at + 1 < tokens.size() && tokens[at] != ";" && tokens[at] != "\n"; ++at) {
      const auto& token = tokens[at];
      if (token == "(" || token == "[" || token == "{") ++depth;
      if (token == ")" || token == "]" || token == "}") --depth;
      if (depth < 0) return;
      if (depth == 0 && is_name(token) && tokens[at + 1] == "=") {
        std::size_t last = at + 2;
        int inner = 0;
        for (; last < tokens.size() && tokens[last] != ";"; ++last) {
          if (tokens[last] == "(" || tokens[last] == "{") ++inner;
          if (tokens[last] == ")" || tokens[last] == "}") --inner;
          if (inner < 0 || (inner == 0 && tokens[last] == ",")) break;
        }
        const std::vector<std::string> expression(
            tokens.begin() + static_cast<std::ptrdiff_t>(at) + 2,
            tokens.begin() + static_cast<std::ptrdiff_t>(last));
        const auto [known, fresh] = expressions_.try_emplace(token, expression);
        if (!fresh && known->second != expression) unknown_.insert(token);
      }
    }
  }
  // Of a template the same name may stand for another number each time.
  void leave_out_parameters(const std::vector<std::string>& tokens, std::size_t at) {
    int depth = 0;
    for (; at < tokens.size(); ++at) {
      if (tokens[at] == "<") ++depth;
      if (tokens[at] == ">") --depth;
      if (tokens[at] == ">>") depth -= 2;
      if (is_name(tokens[at])) unknown_.insert(tokens[at]);
      if (depth <= 0 || tokens[at] == ";" || tokens[at] == "{") return;
    }
  }

  Number shift(Tokens t, std::size_t& at, int depth) const {
    Number left = sum(t, at, depth);
    while (left && at < t.size() && (t[at] == "<<" || t[at] == ">>")) {
      const bool up = t[at++] == "<<";
      const Number right = sum(t, at, depth);
      if (!right || *right > 30) return std::nullopt;
      left = kept(up ? *left << *right : *left >> *right);
    }
    return left;
  }
  Number sum(Tokens t, std::size_t& at, int depth) const {
    Number left = product(t, at, depth);
    while (left && at < t.size() && (t[at] == "+" || t[at] == "-")) {
      const bool plus = t[at++] == "+";
      const Number right = product(t, at, depth);
      if (!right || (!plus && *right > *left)) return std::nullopt;
      left = kept(plus ? *left + *right : *left - *right);
    }
    return left;
  }
  Number product(Tokens t, std::size_t& at, int depth) const {
    Number left = unit(t, at, depth);
    while (left && at < t.size() && (t[at] == "*" || t[at] == "/" || t[at] == "%")) {
      const char sign = t[at++][0];
      const Number right = unit(t, at, depth);
      if (!right || (sign != '*' && *right == 0)) return std::nullopt;
      left = kept(sign == '*' ? *left * *right : sign == '/' ? *left / *right : *left % *right);
    }
    return left;
  }
  Number unit(Tokens t, std::size_t& at, int depth) const {
    if (at >= t.size() || depth > kDeepest) return std::nullopt;
    if (t[at] == "(") {
      const Number inner = shift(t, ++at, depth + 1);
      if (!inner || at >= t.size() || t[at] != ")") return std::nullopt;
      ++at;
      return inner;
    }
    if (t[at] == "sizeof" && at + 3 < t.size() && t[at + 1] == "(" && t[at + 3] == ")") {
      const std::uint64_t size = size_of_type(t[at + 2]);
      at += 4;
      return size ? Number(size) : std::nullopt;
    }
    const std::string& token = t[at++];
    if (!is_name(token)) return number(token);
    const auto known = expressions_.find(token);
    if (known == expressions_.end() || unknown_.contains(token)) return std::nullopt;
    return value(known->second, depth + 1);
  }
  static Number kept(std::uint64_t value) { return value < kMost ? Number(value) : std::nullopt; }

  std::map<std::string, std::vector<std::string>> expressions_;
  std::set<std::string> unknown_;
};

// The end of brackets that open at `at`.
std::size_t closing(const std::vector<std::string>& tokens, std::size_t at) {
  int depth = 0;
  for (; at < tokens.size() && tokens[at] != ";"; ++at) {
    if (tokens[at] == "[" || tokens[at] == "(") ++depth;
    if ((tokens[at] == "]" || tokens[at] == ")") && --depth == 0) return at;
  }
  return tokens.size();
}

bool qualifies(const std::string& token) {
  return token == "const" || token == "volatile" || token == "static" || token == "extern" ||
         token == "std" || token == "::" || token == "__shared__" || token == "__constant__" ||
         token == "inline" || token == "__device__";
}

// Bytes of an element, of the words before the name: "unsigned long long", "std::uint32_t".
std::uint64_t element_bytes(const std::vector<std::string>& type) {
  std::uint64_t size = 0;
  for (const auto& token : type) {
    if (token == "*") return 8;
    const std::uint64_t bytes = size_of_type(token);
    if (bytes == 0) return 0;
    const bool bare = token == "unsigned" || token == "signed" || (token == "int" && size != 0);
    size = bare && size != 0 ? size : bytes;
  }
  return size;
}

// The body of a kernel: its name, and the tokens of its braces.
struct Body {
  std::string name;
  std::size_t begin = 0, end = 0;
};

Body body_behind(const std::vector<std::string>& tokens, std::size_t at) {
  Body body;
  for (; at < tokens.size() && tokens[at] != ";" && tokens[at] != "{"; ++at) {
    if (tokens[at] != "(") continue;
    const auto& before = tokens[at - 1];
    if (is_name(before) && before != "__launch_bounds__" && body.name.empty()) body.name = before;
    at = closing(tokens, at);
  }
  if (at >= tokens.size() || tokens[at] != "{" || body.name.empty()) return {};
  body.begin = at;
  int depth = 0;
  for (body.end = at; body.end < tokens.size(); ++body.end) {
    if (tokens[body.end] == "{") ++depth;
    if (tokens[body.end] == "}" && --depth == 0) break;
  }
  return body;
}

} // namespace

Declarations::Declarations(std::string_view source) {
  if (source.empty() || source.size() > kLongestSource) return;
  std::vector<std::uint32_t> lines;
  const auto tokens = tokens_of(source, lines);
  const Constants constants(tokens);
  Body kernel;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] == "__global__") kernel = body_behind(tokens, i);
    if (tokens[i] != "__shared__" && tokens[i] != "__constant__") continue;
    std::vector<std::string> type;
    std::size_t at = i + 1;
    for (; at < tokens.size(); ++at) { // the type, up to the first name
      const auto& token = tokens[at];
      if (token == "__align__" || token == "alignas") {
        at = closing(tokens, at + 1);
        continue;
      }
      const bool name = is_name(token) && !type.empty() && type.back() != "::" &&
                        at + 1 < tokens.size() &&
                        (tokens[at + 1] == "[" || tokens[at + 1] == ";" || tokens[at + 1] == "," ||
                         tokens[at + 1] == "=");
      if (name) break;
      if (token == ";" || token == "(" || token == "{") {
        at = tokens.size();
      } else if (!qualifies(token)) {
        type.push_back(token);
      }
    }
    while (at + 1 < tokens.size() && is_name(tokens[at])) { // each declarator
      const std::string& name = tokens[at++];
      const bool dynamic = i > 0 && tokens[i - 1] == "extern";
      if (tokens[i] == "__shared__" && !dynamic && at < tokens.size() && tokens[at] == "[" &&
          kernel.begin < i && i < kernel.end)
        shared_.push_back({kernel.name, name, lines[at - 1]});
      Declared declared;
      declared.element = element_bytes(type);
      while (at < tokens.size() && tokens[at] == "[") {
        const std::size_t end = closing(tokens, at);
        if (end >= tokens.size()) break;
        const Tokens extent(tokens.data() + at + 1, end - at - 1);
        declared.extents.push_back(constants.value(extent));
        at = end + 1;
      }
      if (at < tokens.size() && tokens[at] == "[") break; // not closed
      arrays_.emplace(name, std::move(declared));
      if (at + 1 >= tokens.size() || tokens[at] != ",") break;
      ++at;
    }
  }
}

std::optional<ArrayShape> Declarations::shape(const std::string& name, std::uint64_t bytes) const {
  std::optional<ArrayShape> found;
  const auto [first, last] = arrays_.equal_range(name);
  for (auto it = first; it != last; ++it) {
    const Declared& declared = it->second;
    std::uint64_t inner = 1; // elements of the first extent's step
    for (std::size_t i = 1; i < declared.extents.size(); ++i) {
      if (!declared.extents[i] || *declared.extents[i] == 0) return std::nullopt;
      inner *= *declared.extents[i];
      if (inner > kMost) return std::nullopt;
    }
    const bool array = !declared.extents.empty();
    ArrayShape shape;
    shape.element = declared.element;
    std::uint64_t outer = 1;
    if (array && bytes == 0) {
      outer = 0;
      if (shape.element == 0) return std::nullopt;
    } else if (array && declared.extents[0]) {
      outer = *declared.extents[0];
      const std::uint64_t all = outer * inner;
      if (all == 0 || all > kMost || bytes % all != 0) continue; // another array
      if (shape.element == 0) shape.element = bytes / all;
      if (shape.element * all != bytes) continue;
    } else if (array) {
      if (shape.element == 0) return std::nullopt;
      if (bytes % (shape.element * inner) != 0) continue;
      outer = bytes / (shape.element * inner);
    } else {
      if (shape.element != 0 && shape.element != bytes) continue;
      shape.element = bytes;
    }
    for (std::size_t i = 0; i < declared.extents.size(); ++i)
      shape.extents.push_back(i == 0 ? outer : *declared.extents[i]);
    if (found && *found != shape) return std::nullopt;
    found = std::move(shape);
  }
  return found;
}

} // namespace course::code
