#include "folder_watch.hpp"

#include <sys/stat.h>

namespace course::build {

namespace fs = std::filesystem;

std::uint64_t bytes_below(const fs::path& folder) {
  constexpr std::uint64_t kBlock = 512; // of st_blocks, whatever the file system's are
  std::uint64_t bytes = 0;
  std::error_code gone;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                         gone);
  for (; !gone && entry != fs::recursive_directory_iterator(); entry.increment(gone)) {
    struct stat status {};
    if (lstat(entry->path().c_str(), &status) == 0)
      bytes += static_cast<std::uint64_t>(status.st_blocks) * kBlock;
  }
  return bytes;
}

FolderWatch::FolderWatch(fs::path folder, std::uint64_t most, std::function<void()> full)
    : thread_([this, folder = std::move(folder), most, full = std::move(full)] {
        constexpr std::chrono::milliseconds kLook{100};
        std::unique_lock hold(mutex_);
        while (!changed_.wait_for(hold, kLook, [this] { return over_; })) {
          if (bytes_below(folder) <= most) continue;
          full_ = true;
          full();
          return;
        }
      }) {}

FolderWatch::~FolderWatch() {
  {
    const std::lock_guard hold(mutex_);
    over_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

} // namespace course::build
