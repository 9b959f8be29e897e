// A file that one process at a time holds. The lock ends with its process, however that ends.
#pragma once

#include "system/descriptor.hpp"

#include <filesystem>

namespace course::system {

// Waits until nobody holds the file in a way that bars this one: LOCK_SH or LOCK_EX of flock(2).
// False, with errno, where it cannot be held. It is for as long as the descriptor is open.
bool lock(int descriptor, int how);

class FileLock {
public:
  enum class Busy { wait, give_up };

  // Makes the file, and the folders above it, which may throw std::filesystem::filesystem_error.
  explicit FileLock(const std::filesystem::path& file, Busy = Busy::wait);

  // False: another process holds it, or the file cannot be made.
  bool held() const { return static_cast<bool>(descriptor_); }

private:
  Descriptor descriptor_;
};

} // namespace course::system
