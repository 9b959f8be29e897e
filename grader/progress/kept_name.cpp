#include "progress/kept_name.hpp"

#include "progress/event.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace course::progress {

std::filesystem::path timed_name(const std::filesystem::path& folder, const std::string& exercise) {
  auto time = now();
  std::ranges::replace(time, ':', '-');
  std::error_code none;
  for (int i = 1;; ++i) {
    const auto again = i == 1 ? "" : fmt::format("-{}", i);
    const auto name = folder / fmt::format("{}.{}{}.cu", exercise, time, again);
    if (!std::filesystem::exists(name, none)) return name;
  }
}

std::filesystem::path kept_name(const std::filesystem::path& root, const std::string& exercise) {
  return timed_name(root / ".course" / "kept", exercise);
}

} // namespace course::progress
