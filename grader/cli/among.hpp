// Values of options: words to choose from, and numbers.
#pragma once

#include "language/translate.hpp"

#include <CLI/App.hpp>

#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <system_error>
#include <utility>

namespace course::cli {

// For Option::transform. Any other word is refused, with those that there are.
template <class Choice>
CLI::Validator among(std::map<std::string, Choice> words) {
  const auto choose = [words = std::move(words)](std::string& word) -> std::string {
    if (const auto found = words.find(word); found != words.end()) {
      word = std::to_string(static_cast<int>(found->second));
      return "";
    }
    std::string all;
    for (const auto& [known, choice] : words) all += (all.empty() ? "" : ", ") + known;
    return tr("\"{}\" is none of {}", word, all);
  };
  return CLI::Validator(choose, "");
}

// For Option::check. What CLI11 reads as a number without it may have a sign, or too many digits.
inline CLI::Validator whole_number() {
  const auto refuse = [](std::string& text) -> std::string {
    std::uint64_t number = 0;
    const auto end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec == std::errc{} && read.ptr == end) return "";
    return tr("\"{}\" is no whole number from 0 to {}", text, UINT64_MAX);
  };
  return CLI::Validator(refuse, "");
}

} // namespace course::cli
