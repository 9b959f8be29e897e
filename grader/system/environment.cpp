#include "system/environment.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace course::system {

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? std::optional<std::string>(value) : std::nullopt;
}

std::vector<std::string> environment_of(std::initializer_list<const char*> names) {
  std::vector<std::string> words;
  for (const char* name : names)
    if (const auto value = environment(name)) words.push_back(name + ("=" + *value));
  return words;
}

std::vector<std::string>
environment_with(std::initializer_list<std::pair<const char*, std::string>> others) {
  std::vector<std::string> words;
  for (char** word = environ; *word; ++word) {
    const std::string_view own = *word;
    const auto name = own.substr(0, own.find('='));
    if (std::ranges::none_of(others, [&](const auto& other) { return name == other.first; }))
      words.emplace_back(own);
  }
  for (const auto& [name, value] : others) words.push_back(name + ("=" + value));
  return words;
}

} // namespace course::system
