#include "classroom/winnowing.hpp"

#include <algorithm>
#include <set>

namespace course::classroom {
namespace {

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Words whose exchange would change what a program does.
const std::set<std::string_view> kKept{
    "if",           "else",          "for",        "while",      "do",         "return",
    "break",        "continue",      "switch",     "case",       "struct",     "template",
    "const",        "constexpr",     "int",        "float",      "double",     "unsigned",
    "char",         "void",          "bool",       "__global__", "__device__", "__shared__",
    "__constant__", "__syncthreads", "__syncwarp", "threadIdx",  "blockIdx",   "blockDim",
    "gridDim",      "extern"};

std::size_t end_of(std::string_view text, std::size_t at, std::string_view what) {
  const auto end = text.find(what, at);
  return end == text.npos ? text.size() : end + what.size();
}

std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote && text[at] != '\n') at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

std::uint64_t mixed(std::uint64_t hash, std::string_view token) { // FNV-1a, a byte at a time
  constexpr std::uint64_t kPrime = 0x100000001b3;
  for (const char c : token) hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  return (hash ^ 0xff) * kPrime; // where a token ends
}

constexpr std::uint64_t kStart = 0xcbf29ce484222325;

struct Token {
  std::string word;
  std::size_t at = 0; // in the source
};

std::vector<Token> tokens_of(std::string_view source) {
  std::vector<Token> found;
  const auto add = [&](std::size_t at, std::string word) {
    found.push_back({std::move(word), at});
  };
  for (std::size_t at = 0; at < source.size();) {
    const auto rest = source.substr(at);
    const char c = source[at];
    if (rest.starts_with("//")) {
      at = end_of(source, at, "\n");
    } else if (rest.starts_with("/*")) {
      at = end_of(source, at + 2, "*/");
    } else if (c == '"' || c == '\'') {
      add(at, "s");
      at = end_of_string(source, at);
    } else if (starts_name(c)) {
      const auto from = at;
      while (at < source.size() && (starts_name(source[at]) || is_digit(source[at]))) ++at;
      const auto word = source.substr(from, at - from);
      add(from, kKept.count(word) ? std::string(word) : "n");
    } else if (is_digit(c)) {
      add(at, "0");
      while (at < source.size() && (starts_name(source[at]) || is_digit(source[at]) ||
                                    source[at] == '.' || source[at] == '\''))
        ++at;
    } else {
      if (static_cast<unsigned char>(c) > 0x20) add(at, std::string(1, c));
      ++at;
    }
  }
  return found;
}

// The hash of each run of kRun tokens.
std::vector<std::uint64_t> runs_of(const std::vector<Token>& words) {
  std::vector<std::uint64_t> runs;
  for (std::size_t i = 0; i + kRun <= words.size(); ++i) {
    std::uint64_t hash = kStart;
    for (std::size_t j = 0; j < kRun; ++j) hash = mixed(hash, words[i + j].word);
    runs.push_back(hash);
  }
  return runs;
}

} // namespace

std::vector<std::string> tokens(std::string_view source) {
  std::vector<std::string> words;
  for (auto& token : tokens_of(source)) words.push_back(std::move(token.word));
  return words;
}

std::set<std::size_t> lines_of_prints(std::string_view source,
                                      const std::set<std::uint64_t>& prints) {
  const auto words = tokens_of(source);
  const auto runs = runs_of(words);
  std::set<std::size_t> lines;
  std::size_t line = 0, at = 0;
  std::vector<std::size_t> line_of;
  for (const auto& word : words) {
    line += static_cast<std::size_t>(
        std::count(source.begin() + static_cast<std::ptrdiff_t>(at),
                   source.begin() + static_cast<std::ptrdiff_t>(word.at), '\n'));
    at = word.at;
    line_of.push_back(line);
  }
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (prints.count(runs[i]))
      for (std::size_t j = 0; j < kRun; ++j) lines.insert(line_of[i + j]);
  return lines;
}

Fingerprints fingerprints(std::string_view source) {
  const auto words = tokens_of(source);
  Fingerprints result;
  result.whole = kStart;
  for (const auto& word : words) result.whole = mixed(result.whole, word.word);
  const auto runs = runs_of(words);
  std::set<std::uint64_t> kept;
  const auto window = std::min(kWindow, runs.size());
  for (std::size_t i = 0; window > 0 && i + window <= runs.size(); ++i)
    kept.insert(*std::min_element(runs.begin() + static_cast<std::ptrdiff_t>(i),
                                  runs.begin() + static_cast<std::ptrdiff_t>(i + window)));
  result.prints.assign(kept.begin(), kept.end());
  return result;
}

} // namespace course::classroom
