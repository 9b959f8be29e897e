#include "system/temporary_folder.hpp"

#include "system/remove_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <utility>

namespace course::system {

namespace fs = std::filesystem;

fs::path fresh_folder(const fs::path& beginning) {
  std::string path = beginning.string() + "-XXXXXX";
  if (!mkdtemp(path.data()))
    throw fs::filesystem_error("cannot make a folder", path,
                               std::error_code(errno, std::generic_category()));
  return path;
}

TemporaryFolder::TemporaryFolder(std::string_view name) {
  std::error_code none;
  const fs::path base = fs::temp_directory_path(none);
  path_ = fresh_folder((none ? fs::path("/tmp") : base) / name);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TemporaryFolder::~TemporaryFolder() {
  if (!path_.empty()) remove_folder(path_);
}

void TemporaryFolder::let_pass() const {
  fs::permissions(path_, fs::perms::group_exec | fs::perms::others_exec, fs::perm_options::add);
}

} // namespace course::system
