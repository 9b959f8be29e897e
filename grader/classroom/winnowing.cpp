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

} // namespace

std::vector<std::string> tokens(std::string_view source) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < source.size();) {
    const auto rest = source.substr(at);
    const char c = source[at];
    if (rest.starts_with("//")) {
      at = end_of(source, at, "\n");
    } else if (rest.starts_with("/*")) {
      at = end_of(source, at + 2, "*/");
    } else if (c == '"' || c == '\'') {
      at = end_of_string(source, at);
      found.emplace_back("s");
    } else if (starts_name(c)) {
      const auto from = at;
      while (at < source.size() && (starts_name(source[at]) || is_digit(source[at]))) ++at;
      const auto word = source.substr(from, at - from);
      found.emplace_back(kKept.count(word) ? word : "n");
    } else if (is_digit(c)) {
      while (at < source.size() && (starts_name(source[at]) || is_digit(source[at]) ||
                                    source[at] == '.' || source[at] == '\''))
        ++at;
      found.emplace_back("0");
    } else {
      ++at;
      if (static_cast<unsigned char>(c) > 0x20) found.emplace_back(1, c);
    }
  }
  return found;
}

Fingerprints fingerprints(std::string_view source) {
  const auto words = tokens(source);
  Fingerprints result;
  result.whole = kStart;
  for (const auto& word : words) result.whole = mixed(result.whole, word);
  std::vector<std::uint64_t> runs;
  for (std::size_t i = 0; i + kRun <= words.size(); ++i) {
    std::uint64_t hash = kStart;
    for (std::size_t j = 0; j < kRun; ++j) hash = mixed(hash, words[i + j]);
    runs.push_back(hash);
  }
  std::set<std::uint64_t> kept;
  const auto window = std::min(kWindow, runs.size());
  for (std::size_t i = 0; window > 0 && i + window <= runs.size(); ++i)
    kept.insert(*std::min_element(runs.begin() + static_cast<std::ptrdiff_t>(i),
                                  runs.begin() + static_cast<std::ptrdiff_t>(i + window)));
  result.prints.assign(kept.begin(), kept.end());
  return result;
}

} // namespace course::classroom
