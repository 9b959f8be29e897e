// The parser on what nvcc made of the kernels in data/, whole and mutilated.
#include "device/code/ptx/snippet.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

namespace course::ptx {
namespace {

constexpr std::array kNames = {"asynchronous", "atomics", "functions", "shared_memory", "warps"};

std::string text_of(const std::string& name) {
  const std::string path = std::string(COURSE_BINARY_DIR) + "/kernels/" + name + ".ptx";
  std::ifstream file(path);
  REQUIRE_MESSAGE(file, path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool begins_with_any(std::string_view line, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return line.starts_with(prefix); });
}

// The text without comments, debug sections, and directives that have a line of their own.
std::string code_of(const std::string& text) {
  std::string code;
  for (std::string line : lines_of(text.substr(0, text.find("\t.section")))) {
    line.resize(std::min(line.find("//"), line.size()));
    line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
    const bool skip =
        begins_with_any(line, {".loc\t", ".file", ".pragma", ".maxntid", ".minnctapersm",
                               ".explicitcluster", ".reqnctapercluster"});
    if (!skip) code += line + '\n';
  }
  return code;
}

// Statements of all bodies that are not directives, counted without the parser: what is left
// between braces and semicolons when labels are gone.
std::size_t count_instructions(const std::string& text) {
  const std::string code = code_of(text);
  std::size_t count = 0;
  int depth = 0;
  bool in_vector = false;
  std::string statement; // without blanks
  for (std::size_t i = 0; i < code.size(); ++i) {
    const char c = code[i];
    if (c == '{' && !statement.empty() && depth > 0) {
      in_vector = true;
    } else if (c == '}' && in_vector) {
      in_vector = false;
    } else if (c == '{' || c == '}') {
      depth += c == '{' ? 1 : -1;
      statement.clear();
    } else if (c == ':' && code[i + 1] != ':' && code[i - 1] != ':') {
      statement.clear();
    } else if (c == ';') {
      count += depth > 0 && !statement.empty() && statement[0] != '.';
      statement.clear();
    } else if (c > ' ') {
      statement += c;
    }
  }
  return count;
}

} // namespace

TEST_CASE("everything that nvcc made parses, instruction by instruction") {
  for (const std::string name : kNames) {
    CAPTURE(name);
    const std::string text = text_of(name);
    const Module module = parsed(text);
    std::size_t count = 0;
    for (const Function& function : module.functions) count += function.body.size();
    CHECK(count == count_instructions(text));
    CHECK(count > 100);
  }
}

TEST_CASE("every instruction is on the line that it names") {
  for (const std::string name : kNames) {
    const std::string text = text_of(name);
    const std::vector<std::string> lines = lines_of(text);
    for (const Function& function : parsed(text).functions) {
      for (const Instruction& instruction : function.body) {
        REQUIRE(instruction.ptx_line <= lines.size());
        const std::string& line = lines[instruction.ptx_line - 1];
        CAPTURE(line);
        REQUIRE(line.find(instruction.opcode) != std::string::npos);
      }
    }
  }
}

TEST_CASE("every instruction of a kernel of the corpus is shown in the student's file") {
  for (const std::string name : {"warps", "atomics"}) {
    const Module module = parsed(text_of(name));
    for (const Function& function : module.functions) {
      for (const Instruction& instruction : function.body) {
        if (instruction.source.line == 0) continue;
        CAPTURE(function.name);
        CAPTURE(instruction.ptx_line);
        REQUIRE(module.files.at(instruction.source.file) == name + ".cu");
      }
    }
  }
}

TEST_CASE("the corpus holds what its kernels declare") {
  const Module module = parsed(text_of("shared_memory"));
  const Function* reduce = module.function("_Z6reducePfPKfi");
  REQUIRE(reduce);
  CHECK(reduce->max_threads == 256);
  CHECK(parameter_offsets(*reduce) == std::vector<std::uint32_t>{0, 8, 16, 20});
  const Function* transpose = module.function("_Z9transposeILi32EfEvPT0_PKS0_");
  REQUIRE(transpose);
  REQUIRE(transpose->variables.size() == 1);
  CHECK(transpose->variables[0].size == 32 * 33 * 4);
  const auto variable = [&](const std::string& name) -> const Variable& {
    for (const Variable& candidate : module.variables) {
      if (candidate.name == name) return candidate;
    }
    throw std::runtime_error("no variable " + name);
  };
  CHECK(variable("weights").space == Space::constant);
  CHECK(variable("into_table").relocations.at(0).target.name == "table");
  CHECK(variable("into_table").relocations.at(0).target.offset == 16);
  CHECK(variable("managed_counter").managed);

  const Module functions = parsed(text_of("functions"));
  CHECK(functions.function("_Z5tablePij")->branch_targets.size() == 1);
  CHECK_FALSE(functions.function("vprintf")->has_body);
}

// Of this thread, which other work on the machine leaves alone.
double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

TEST_CASE("sixteen times the functions take about sixteen times the time") {
  const std::string text = text_of(kNames[0]);
  const std::size_t begin = text.find("\n.visible .entry ") + 1,
                    end = text.find("\n}\n", begin) + 3;
  REQUIRE(end > begin + 100);
  const std::string function = text.substr(begin, end - begin);
  const std::size_t name = function.find('(');
  REQUIRE(name != std::string::npos);
  const auto of_functions = [&](int count) {
    std::string module = text.substr(0, begin);
    for (int i = 0; i < count; ++i)
      module += std::string(function).insert(name, "_" + std::to_string(i));
    return module;
  };
  const auto seconds_of = [](const std::string& module) {
    double best = 1e9;
    for (int i = 0; i < 5; ++i) {
      const double start = processor_seconds();
      parsed(module);
      best = std::min(best, processor_seconds() - start);
    }
    return best;
  };
  const double few = seconds_of(of_functions(50)), many = seconds_of(of_functions(800));
  CHECK(many < 64 * few); // 256 times, were it by their square
}

TEST_CASE("20,000 mutilated texts parse or are refused, and nothing worse") {
  std::mt19937 random(20250711);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  // Whole texts are too slow for so many: each mutant is the header and one function.
  std::vector<std::string> pieces;
  for (const std::string name : kNames) {
    const std::string text = text_of(name);
    std::size_t begin = text.find(".version");
    while (begin < text.size() && pieces.size() < 200) {
      const std::size_t end = std::min(text.find("\n}\n", begin), text.size() - 3) + 3;
      const std::string piece = text.substr(begin, end - begin);
      pieces.push_back(piece.starts_with(".version") ? piece : kHeader + piece);
      begin = end;
    }
  }
  constexpr std::array kTokens = {"{",
                                  "}",
                                  "(",
                                  ")",
                                  "[",
                                  "]",
                                  ";",
                                  ",",
                                  ":",
                                  ".reg",
                                  ".b32",
                                  "%r<4294967295>",
                                  "0x",
                                  "-",
                                  "<<",
                                  "/*",
                                  "\"",
                                  "|",
                                  "@",
                                  "!",
                                  ".param",
                                  ".func",
                                  ".entry",
                                  "call",
                                  "bra",
                                  ".loc",
                                  "18446744073709551616",
                                  ".branchtargets",
                                  ".align 1073741824",
                                  "_",
                                  "%r1"};
  std::size_t whole = 0, refusals = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string& original = pieces[below(pieces.size())];
    const std::size_t length = std::min<std::size_t>(original.size(), 4000);
    std::string text = original.substr(0, length);
    for (std::size_t changes = 1 + below(4); changes > 0 && !text.empty(); --changes) {
      const std::size_t at = below(text.size());
      switch (below(6)) {
      case 0:
        text.resize(at);
        break;
      case 1:
        text.erase(at, 1 + below(20));
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), 1 + below(60)));
        break;
      case 3:
        text[at] = static_cast<char>(below(256));
        break;
      case 4:
        text.insert(at, std::string(" ") + kTokens[below(kTokens.size())] + " ");
        break;
      default:
        std::swap(text[at], text[below(text.size())]);
      }
    }
    const auto result = parse(text);
    if (const auto* error = std::get_if<ParseError>(&result)) {
      ++refusals;
      REQUIRE(!error->message.empty());
      REQUIRE(error->ptx_line >= 1);
      REQUIRE(error->excerpt.size() <= 120);
    } else {
      ++whole;
    }
  }
  CHECK(refusals > 10'000);
  CHECK(whole > 100);
}

} // namespace course::ptx
