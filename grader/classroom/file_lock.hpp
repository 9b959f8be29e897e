// A file that one process at a time holds. The lock ends with its process, however that ends.
#pragma once

#include "sandbox/descriptor.hpp"

#include <filesystem>

namespace course::classroom {

class FileLock {
public:
  enum class Busy { wait, give_up };

  // Makes the file, and the folders above it, which may throw std::filesystem::filesystem_error.
  explicit FileLock(const std::filesystem::path& file, Busy = Busy::wait);

  // False: another process holds it, or the file cannot be made.
  bool held() const { return static_cast<bool>(descriptor_); }

private:
  sandbox::Descriptor descriptor_;
};

} // namespace course::classroom
