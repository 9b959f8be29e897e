#include "scratch.hpp"

#include "sandbox/remove_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace course::sandbox {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const char* what, const fs::path& path) {
  throw fs::filesystem_error(what, path, std::error_code(errno, std::generic_category()));
}

} // namespace

Scratch::Scratch(std::optional<uid_t> user) {
  std::error_code none;
  const fs::path base = fs::temp_directory_path(none);
  std::string name = (none ? fs::path("/tmp") : base) / "course-scratch-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) fail("cannot make a scratch folder", name);
  path_ = name;
  if (user && chown(name.c_str(), *user, *user) != 0) fail("cannot give a folder away", name);
}

Scratch::Scratch(Scratch&& other) noexcept : path_(std::exchange(other.path_, {})) {}

Scratch& Scratch::operator=(Scratch&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

Scratch::~Scratch() {
  if (!path_.empty()) remove_folder(path_);
}

Lent::Lent(const fs::path& path, uid_t user)
    : folder_(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) {
  struct stat status {};
  if (folder_ < 0 || fstat(folder_, &status) != 0) fail("cannot open a folder to write", path);
  owner_ = status.st_uid;
  group_ = status.st_gid;
  if (fchown(folder_, user, user) != 0) fail("cannot give a folder away", path);
}

Lent::Lent(Lent&& other) noexcept
    : folder_(std::exchange(other.folder_, -1)), owner_(other.owner_), group_(other.group_) {}

Lent& Lent::operator=(Lent&& other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(owner_, other.owner_);
  std::swap(group_, other.group_);
  return *this;
}

Lent::~Lent() {
  if (folder_ < 0) return;
  [[maybe_unused]] const int gone = fchown(folder_, owner_, group_);
  close(folder_);
}

} // namespace course::sandbox
