#include "system/remove_folder.hpp"

namespace course::system {
namespace {

namespace fs = std::filesystem;

void unlock(const fs::path& folder) {
  std::error_code ignored;
  fs::permissions(folder, fs::perms::owner_all, ignored);
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.symlink_status(ignored).type() == fs::file_type::directory) unlock(entry.path());
}

} // namespace

void remove_folder(const fs::path& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  if (!error) return;
  unlock(folder);
  fs::remove_all(folder, error);
}

} // namespace course::system
