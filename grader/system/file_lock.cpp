#include "system/file_lock.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>

namespace course::system {

bool lock(int descriptor, int how) {
  while (flock(descriptor, how) != 0)
    if (errno != EINTR) return false;
  return true;
}

FileLock::FileLock(const std::filesystem::path& file, Busy busy) {
  std::filesystem::create_directories(file.parent_path());
  descriptor_ = Descriptor(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  const int how = busy == Busy::wait ? LOCK_EX : LOCK_EX | LOCK_NB;
  if (descriptor_ && !lock(descriptor_.get(), how)) descriptor_.reset();
}

} // namespace course::system
