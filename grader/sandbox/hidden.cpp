#include "hidden.hpp"

#include <algorithm>

namespace course::sandbox {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path>& kept() {
  static std::vector<fs::path> paths;
  return paths;
}

bool is_at_or_below(const fs::path& path, const fs::path& folder) {
  return std::ranges::mismatch(folder, path).in1 == folder.end();
}

void add(std::vector<fs::path>& to, const fs::path& folder, const std::vector<fs::path>& without) {
  const auto holds = [&](const fs::path& path) { return is_at_or_below(path, folder); };
  if (std::ranges::none_of(without, holds)) {
    to.push_back(folder);
    return;
  }
  if (std::ranges::find(without, folder) != without.end()) return;
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator(folder, gone)) add(to, entry.path(), without);
}

} // namespace

void hide(const std::vector<fs::path>& paths) {
  kept().clear();
  for (const fs::path& path : paths) {
    std::error_code missing;
    const fs::path real = fs::canonical(path, missing);
    // Nothing runs without the system's folders themselves.
    if (!missing && !is_at_or_below(kSystemFolders[0], real)) kept().push_back(real);
  }
}

const std::vector<fs::path>& hidden() {
  return kept();
}

std::vector<fs::path> system_folders() {
  std::vector<fs::path> folders;
  for (const char* path : kSystemFolders) {
    std::error_code missing;
    if (!fs::is_directory(fs::symlink_status(path, missing))) continue;
    add(folders, path, kept());
  }
  return folders;
}

std::vector<fs::path> except(const fs::path& folder, const std::vector<fs::path>& without) {
  std::vector<fs::path> rest;
  add(rest, folder, without);
  std::ranges::sort(rest);
  return rest;
}

} // namespace course::sandbox
