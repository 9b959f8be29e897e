#include "classroom/roster.hpp"

#include "classroom/names.hpp"

#include <algorithm>
#include <map>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;

bool is_zip(const fs::path& path) {
  const auto extension = path.extension().string();
  return extension == ".zip" || extension == ".ZIP" || extension == ".Zip";
}

Entry entry_of(const fs::directory_entry& found) {
  std::error_code error;
  const auto status = found.symlink_status(error);
  Entry entry;
  entry.path = found.path();
  const auto file = found.path().filename();
  entry.name = fs::is_directory(status) || !is_zip(file) ? file.string() : file.stem().string();
  if (fs::is_symlink(status)) {
    entry.problem = "It is a link, not a folder or a zip file.";
  } else if (!fs::is_directory(status) && !(fs::is_regular_file(status) && is_zip(file))) {
    entry.problem = "It is neither a folder nor a zip file.";
  }
  entry.id = id_of(entry.name);
  return entry;
}

} // namespace

std::vector<Entry> roster(const fs::path& submissions) {
  std::map<std::string, Entry> by_name;
  for (const auto& found : fs::directory_iterator(fs::canonical(submissions))) {
    if (found.path().filename().string().starts_with(".")) continue;
    auto entry = entry_of(found);
    const auto [at, first] = by_name.try_emplace(entry.name, entry);
    if (first) continue;
    auto one = at->second.path.filename().string(), other = entry.path.filename().string();
    if (other < one) std::swap(one, other);
    at->second.problem =
        "There are two submissions of this name, " + one + " and " + other + ": which one counts?";
  }
  std::vector<Entry> entries;
  entries.reserve(by_name.size());
  for (auto& [name, entry] : by_name) entries.push_back(std::move(entry));
  return entries;
}

} // namespace course::classroom
