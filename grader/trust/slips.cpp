#include "trust/slips.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <set>
#include <string_view>
#include <vector>

namespace course::trust {
namespace {

struct Token {
  std::size_t at = 0, size = 0;
  bool operator==(const Token&) const = default;
};

bool of_a_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c));
}

// The longest first: ">>>" is no shift, "<=" no "<".
constexpr std::string_view kLong[] = {
    "<<<", ">>>", "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&",
    "||",  "+=",  "-=",  "*=",  "/=", "++", "--", "->", "::", "^="};

std::size_t size_of_token(std::string_view text) {
  if (of_a_word(text[0])) {
    std::size_t size = 1;
    // 0.5f, 1'000, 1e30f
    const auto joins = [&](char c) {
      return of_a_word(c) || (is_digit(text[0]) && (c == '.' || c == '\''));
    };
    while (size < text.size() && joins(text[size])) ++size;
    return size;
  }
  for (const auto one : kLong)
    if (text.starts_with(one)) return one.size();
  return 1;
}

// Where a comment, a string or a line of the preprocessor that starts here ends; 0 where none does.
std::size_t size_of_other(std::string_view text, bool first_of_line) {
  const auto to = [&](std::string_view end, std::size_t from) {
    const auto at = text.find(end, from);
    return at == text.npos ? text.size() : at + end.size();
  };
  if (text.starts_with("//") || (text[0] == '#' && first_of_line)) return to("\n", 0);
  if (text.starts_with("/*")) return to("*/", 2);
  if (text[0] == '"' || text[0] == '\'') return to(text.substr(0, 1), 1);
  return 0;
}

// Of code: without comments, strings and the preprocessor's lines.
std::vector<Token> tokens(std::string_view text) {
  std::vector<Token> found;
  bool first_of_line = true;
  for (std::size_t i = 0; i < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[i]))) {
      first_of_line = first_of_line || text[i] == '\n';
      ++i;
      continue;
    }
    if (const auto size = size_of_other(text.substr(i), first_of_line)) {
      i += size;
      continue;
    }
    first_of_line = false;
    found.push_back({i, size_of_token(text.substr(i))});
    i += found.back().size;
  }
  return found;
}

class Code {
public:
  explicit Code(std::string& text) : text_(text), all_(tokens(text)) {}

  const std::vector<Token>& all() const { return all_; }
  std::string_view word(std::size_t n) const {
    return n < all_.size() ? std::string_view(text_).substr(all_[n].at, all_[n].size)
                           : std::string_view();
  }
  void replace(std::size_t n, std::string_view by) { text_.replace(all_[n].at, all_[n].size, by); }
  // The numbers of those that a test holds for.
  template <class Test>
  std::vector<std::size_t> where(Test test) const {
    std::vector<std::size_t> found;
    for (std::size_t n = 0; n < all_.size(); ++n)
      if (test(n)) found.push_back(n);
    return found;
  }
  std::string& text() { return text_; }

  // The first token of the function, or whatever begins at a line's start, that n is part of.
  std::size_t start_of_definition(std::size_t n) const {
    while (n > 0) {
      const bool starts_line = all_[n].at == 0 || text_[all_[n].at - 1] == '\n';
      if (starts_line && of_a_word(text_[all_[n].at])) return n;
      --n;
    }
    return 0;
  }
  bool in_kernel(std::size_t n) const {
    for (auto at = start_of_definition(n); at < n; ++at)
      if (word(at) == "__global__" || word(at) == "__device__") return true;
    return false;
  }

private:
  std::string& text_;
  std::vector<Token> all_;
};

void change_constant(Code& code, Dice& dice) {
  const auto numbers = code.where([&](std::size_t n) { return is_digit(code.word(n)[0]); });
  if (numbers.empty()) return;
  const auto n = dice.one_of(numbers);
  const std::string old(code.word(n));
  const bool plain = old.size() < 7 && std::all_of(old.begin(), old.end(), is_digit);
  if (!plain || dice.below(4) == 0) return code.replace(n, code.word(dice.one_of(numbers)));
  const long value = std::stol(old);
  const long near[] = {value + 1, value > 0 ? value - 1 : 1, 2 * value, value / 2, value + 31, 0,
                       1};
  code.replace(n, std::to_string(dice.one_of(near)));
}

using Siblings = std::vector<std::string_view>;

// One of the others of a set that the token is in.
void change_within(Code& code, Dice& dice, const std::vector<Siblings>& sets) {
  const auto set_of = [&](std::size_t n) -> const Siblings* {
    for (const auto& set : sets)
      if (std::ranges::find(set, code.word(n)) != set.end()) return &set;
    return nullptr;
  };
  const auto known = code.where(set_of);
  if (known.empty()) return;
  const auto n = dice.one_of(known);
  code.replace(n, dice.one_of(*set_of(n)));
}

void change_operator(Code& code, Dice& dice) {
  static const std::vector<Siblings> kSets = {
      {"<", "<=", ">", ">=", "==", "!="}, {"&&", "||"}, {"+=", "-=", "*="}, {"++", "--"},
      {"+", "-", "/", "%", "^"},          {"<<", ">>"}, {"=", "+=", "-="}};
  // Brackets of templates, and what a declaration is set to, are no operators.
  static const std::set<std::string_view> kTypes = {"template", "static_cast", "reinterpret_cast"};
  const auto fits = code.where([&](std::size_t n) {
    if (n == 0 || kTypes.count(code.word(n - 1))) return false;
    return std::ranges::any_of(kSets, [&](const Siblings& set) {
      return std::ranges::find(set, code.word(n)) != set.end();
    });
  });
  if (fits.empty()) return;
  const auto n = dice.one_of(fits);
  for (const auto& set : kSets)
    if (std::ranges::find(set, code.word(n)) != set.end()) return code.replace(n, dice.one_of(set));
}

void change_builtin(Code& code, Dice& dice) {
  static const std::vector<Siblings> kSets = {
      {"threadIdx", "blockIdx", "blockDim", "gridDim"},
      {"x", "y", "z"},
      {"__syncthreads", "__syncwarp", "__threadfence"},
      {"__shfl_down_sync", "__shfl_up_sync", "__shfl_xor_sync"},
      {"atomicAdd", "atomicMax", "atomicExch"},
      {"int", "unsigned", "short"},
      {"float4", "int4", "double4"},
      {"if", "while"},
      {"true", "false"},
      {"break", "continue"}};
  change_within(code, dice, kSets);
}

// Names of variables of numbers, or of pointers, that were declared before a token in its function.
std::vector<std::string_view> declared_before(const Code& code, std::size_t n, bool pointers) {
  static const std::set<std::string_view> kTypes = {"int", "unsigned", "float", "long", "size_t"};
  std::vector<std::string_view> names;
  for (auto at = code.start_of_definition(n); at + 2 < n; ++at) {
    if (!kTypes.count(code.word(at))) continue;
    const bool pointer = code.word(at + 1) == "*";
    const auto name = code.word(at + 1 + pointer);
    if (pointer == pointers && of_a_word(name[0]) && code.word(at + 2 + pointer) != "(")
      names.push_back(name);
  }
  return names;
}

void change_variable(Code& code, Dice& dice) {
  struct Use {
    std::size_t at;
    bool pointer;
  };
  std::vector<Use> uses;
  for (const bool pointer : {false, true})
    for (std::size_t n = 0; n < code.all().size(); ++n) {
      if (!std::isalpha(static_cast<unsigned char>(code.word(n)[0]))) continue;
      const auto names = declared_before(code, n, pointer);
      if (names.size() > 1 && std::ranges::find(names, code.word(n)) != names.end())
        uses.push_back({n, pointer});
    }
  if (uses.empty()) return;
  const auto use = dice.one_of(uses);
  const std::string by(dice.one_of(declared_before(code, use.at, use.pointer)));
  code.replace(use.at, by);
}

// The number of the token that closes what n opens.
std::size_t closing(const Code& code, std::size_t n) {
  const auto open = code.word(n);
  const std::string_view close = open == "[" ? "]" : ")";
  for (std::size_t depth = 0; n < code.all().size(); ++n) {
    if (code.word(n) == open) ++depth;
    if (code.word(n) == close && --depth == 0) return n;
  }
  return n;
}

// What is between two brackets, made part of something larger.
void wrap(Code& code, Dice& dice, const std::vector<std::size_t>& openings,
          const std::vector<std::array<const char*, 2>>& around) {
  if (openings.empty()) return;
  const auto open = dice.one_of(openings), close = closing(code, open);
  if (close >= code.all().size()) return;
  const auto& [before, after] = dice.one_of(around);
  code.text().insert(code.all()[close].at, after);
  code.text().insert(code.all()[open].at + 1, before);
}

void change_index(Code& code, Dice& dice) {
  const auto openings = code.where([&](std::size_t n) { return code.word(n) == "["; });
  wrap(code, dice, openings,
       {{"", " + 1"},
        {"", " - 1"},
        {"(", ") ^ 1"},
        {"(", ") / 2"},
        {"2 * (", ")"},
        {"-(", ")"},
        {"(", ") % 32"},
        {"(", ") + 1000000"}});
}

void change_condition(Code& code, Dice& dice) {
  const auto openings = code.where([&](std::size_t n) {
    return n > 0 && code.word(n) == "(" &&
           (code.word(n - 1) == "if" || code.word(n - 1) == "while");
  });
  wrap(code, dice, openings,
       {{"!(", ")"}, {"true || (", ")"}, {"false && (", ")"}, {"(", ") && threadIdx.x % 2 == 0"}});
}

// ---- whole lines

struct Line {
  std::size_t at = 0, size = 0; // with its end
};

std::vector<Line> lines_of_code(const std::string& text) {
  std::vector<Line> found;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size() - 1) + 1;
    found.push_back({at, end - at});
    at = end;
  }
  return found;
}

// Lines that are one statement inside a function, and no declaration.
std::vector<Line> statements(const std::string& text) {
  constexpr std::string_view kDeclare[] = {
      "const",      "constexpr",   "int",    "unsigned", "float",    "auto",
      "__shared__", "extern",      "return", "double",   "dim3",     "using",
      "struct",     "cudaError_t", "static", "template", "volatile", "long",
      "//",         "#",           "}",      "float4"};
  auto all = lines_of_code(text);
  std::erase_if(all, [&](const Line& line) {
    std::string_view words(text.data() + line.at, line.size);
    const auto first = words.find_first_not_of(" \t");
    if (first == 0 || first == words.npos || !words.ends_with(";\n")) return true;
    words.remove_prefix(first);
    const auto opens = std::ranges::count(words, '('), closes = std::ranges::count(words, ')');
    return opens != closes || std::ranges::any_of(kDeclare, [&](std::string_view word) {
             return words.starts_with(word);
           });
  });
  return all;
}

void change_statement(Code& code, Dice& dice) {
  auto& text = code.text();
  const auto all = statements(text);
  if (all.empty()) return;
  const auto one = dice.one_of(all), other = dice.one_of(all);
  const auto copy = text.substr(one.at, one.size);
  switch (dice.below(3)) {
  case 0:
    // An empty one in its place, since it may be all that an `if` or a loop has.
    text.replace(one.at, one.size, "    ;\n");
    break;
  case 1:
    text.insert(one.at, copy);
    break;
  default:
    text.insert(other.at, copy);
  }
}

constexpr const char* kInKernels[] = {"__syncthreads();",
                                      "if (threadIdx.x % 2) __syncthreads();",
                                      "if (threadIdx.x == 7) return;",
                                      "__syncwarp();",
                                      "__nanosleep(100);",
                                      "__trap();",
                                      "asm volatile(\"bar.sync 1;\");",
                                      "asm volatile(\"bar.arrive 2, 64;\");",
                                      "asm volatile(\"exit;\");",
                                      "asm volatile(\"brkpt;\");",
                                      "for (;;) {}",
                                      "while (clock64() % 2) {}",
                                      "*reinterpret_cast<volatile int*>(threadIdx.x) = 1;",
                                      "*reinterpret_cast<volatile int*>(0x7f0000000000) = 1;",
                                      "__shfl_sync(0xffffffff, 1, threadIdx.x + 1);",
                                      "__shfl_sync(1 << threadIdx.x, 1, 0);",
                                      "__ballot_sync(0, 1);",
                                      "__shared__ volatile int mine[64]; mine[threadIdx.x] += 1;",
                                      "volatile float many[100]; many[threadIdx.x % 101] = 1;",
                                      "free(malloc(16));",
                                      "__threadfence_system();",
                                      "__prof_trigger(1);"};
constexpr const char* kInHostCode[] = {"cudaDeviceSynchronize();",
                                       "cudaGetLastError();",
                                       "cudaDeviceReset();",
                                       "cudaFree(nullptr);",
                                       "cudaMemset(nullptr, 1, 100);",
                                       "{ void* p; cudaMalloc(&p, 1 << 20); cudaFree(p); }",
                                       "{ void* p; cudaMalloc(&p, ~0ull); }",
                                       "{ cudaStream_t s; cudaStreamCreate(&s); }",
                                       "*static_cast<volatile int*>(nullptr) = 1;",
                                       "__builtin_trap();",
                                       "for (volatile int i = 0; i < 1000; ++i) {}",
                                       "for (volatile int i = 0; i >= 0;) {}"};

// A statement that does harm, behind one that is there.
void add_statement(Code& code, Dice& dice) {
  const auto ends = code.where([&](std::size_t n) {
    if (code.word(n) != ";") return false;
    const auto after = code.all()[n].at + 1;
    if (after >= code.text().size() || code.text()[after] != '\n') return false;
    const auto start = code.start_of_definition(n);
    return n > start && code.word(start) != "constexpr" && code.word(start) != "__device__";
  });
  if (ends.empty()) return;
  const auto n = dice.one_of(ends);
  const char* more = code.in_kernel(n) ? dice.one_of(kInKernels) : dice.one_of(kInHostCode);
  code.text().insert(code.all()[n].at + 1, std::string(" ") + more);
}

} // namespace

void slip(std::string& text, Dice& dice) {
  constexpr std::array kKinds = {change_constant,  change_constant, change_operator,
                                 change_operator,  change_builtin,  change_variable,
                                 change_variable,  change_index,    change_condition,
                                 change_statement, add_statement};
  // A throw may find nothing of its kind, or put what was there.
  const auto before = text;
  for (int throws = 0; throws < 8 && text == before; ++throws) {
    Code code(text);
    dice.one_of(kKinds)(code, dice);
  }
}

} // namespace course::trust
