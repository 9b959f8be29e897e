#include "system/environment.hpp"

#include <cstdlib>

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

} // namespace course::system
