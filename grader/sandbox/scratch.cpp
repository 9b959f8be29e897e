#include "scratch.hpp"

#include <cerrno>
#include <fcntl.h>
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

system::TemporaryFolder scratch_folder(std::optional<uid_t> user) {
  system::TemporaryFolder folder("course-scratch");
  if (user && chown(folder.path().c_str(), *user, *user) != 0)
    fail("cannot give a folder away", folder.path());
  return folder;
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
