// How much is written to a folder, while somebody else writes to it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>

namespace course::build {

// Bytes on disk below a folder; what comes and goes meanwhile does not matter.
std::uint64_t bytes_below(const std::filesystem::path&);

// Looks ten times a second for as long as it lives, and calls `full` once when there is more than
// `most`.
class FolderWatch {
public:
  FolderWatch(std::filesystem::path, std::uint64_t most, std::function<void()> full);
  FolderWatch(const FolderWatch&) = delete; // one thread
  FolderWatch& operator=(const FolderWatch&) = delete;
  ~FolderWatch();

  bool is_full() const { return full_; }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::atomic<bool> full_ = false;
  std::thread thread_;
};

} // namespace course::build
