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

std::size_t timed_before(const std::filesystem::path& name) {
  const auto file = name.filename().string();
  const auto beginning = file.substr(0, file.find('.') + 1);
  std::error_code none;
  std::size_t count = 0;
  for (const auto& one : std::filesystem::directory_iterator(name.parent_path(), none))
    count += one.path().filename().string().starts_with(beginning) ? 1 : 0;
  return count;
}

std::filesystem::path kept_name(const std::filesystem::path& root, const std::string& exercise) {
  return timed_name(root / ".course" / "kept", exercise);
}

} // namespace course::progress
