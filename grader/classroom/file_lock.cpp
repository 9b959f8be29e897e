#include "classroom/file_lock.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>

namespace course::classroom {

FileLock::FileLock(const std::filesystem::path& file, Busy busy) {
  std::filesystem::create_directories(file.parent_path());
  descriptor_ = sandbox::Descriptor(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  const int how = busy == Busy::wait ? LOCK_EX : LOCK_EX | LOCK_NB;
  while (descriptor_ && flock(descriptor_.get(), how) != 0)
    if (errno != EINTR) descriptor_.reset();
}

} // namespace course::classroom
