// Which of some files was saved last, found by looking again and again: no inotify, which network
// file systems and many containers lack.
//
// A file that may have changed (by time, size or identity) is read for a while, because two saves
// within one tick of a file system's clock look alike from outside. A save counts once its content
// has stayed the same from one look to the next, since editors write in several steps.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace course::progress {

class SavedFiles {
public:
  using Clock = std::chrono::steady_clock;

  struct Save {
    std::size_t file = 0; // index
    bool changed = false; // false: saved, with the content it had
  };

  // How things stand now is where it starts. Files may be missing, now and later.
  explicit SavedFiles(std::vector<std::filesystem::path>);

  // One look. `closely` is looked at each time, the others every tenth time. At most one save a
  // call; a file that is gone was not saved.
  std::optional<Save> look(std::size_t closely, Clock::time_point now = Clock::now());

private:
  struct File {
    std::filesystem::path path;
    std::vector<std::uint64_t> stamp; // what stat says of it; empty when it is missing
    std::string known;                // content as of the last save
    std::optional<std::string> fresh; // content at the last look, where it was another one
    int looks = 0;                    // at that content
    bool announced = true;            // no save is waiting to be told
    Clock::time_point read_until{};
  };
  std::optional<Save> look_at(std::size_t index, Clock::time_point now);

  std::vector<File> files_;
  unsigned turn_ = 0;
};

} // namespace course::progress
