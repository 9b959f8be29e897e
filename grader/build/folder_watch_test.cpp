#include "folder_watch.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <unistd.h>

namespace course::build {
namespace {

namespace fs = std::filesystem;

class WatchedFolder {
public:
  WatchedFolder() {
    char name[] = "/tmp/course-watch-test-XXXXXX";
    path_ = mkdtemp(name);
    fs::create_directory(path_ / "below");
  }
  ~WatchedFolder() { fs::remove_all(path_); }
  void write(const char* name, std::size_t bytes) const {
    std::ofstream(path_ / name) << std::string(bytes, 'x');
  }
  const fs::path& path() const { return path_; }

private:
  fs::path path_;
};

void wait_until_full(const FolderWatch& watch) {
  while (!watch.is_full()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

} // namespace

TEST_CASE("all files below a folder count, links to others do not") {
  const WatchedFolder folder;
  const auto before = bytes_below(folder.path());
  folder.write("a", 100'000);
  folder.write("below/b", 100'000);
  fs::create_symlink("/usr/bin/env", folder.path() / "c");
  const auto written = bytes_below(folder.path()) - before;
  CHECK(written >= 200'000);
  CHECK(written < 300'000);
  CHECK(bytes_below(folder.path() / "missing") == 0);
}

TEST_CASE("a folder that is being filled is noticed once, and one that is not is left alone") {
  const WatchedFolder folder;
  std::atomic<int> told = 0;
  {
    const FolderWatch watch(folder.path(), 1'000'000, [&] { ++told; });
    folder.write("a", 600'000);
    {
      // One that began later has seen what there is, so this one has as well.
      const FolderWatch other(folder.path(), 500'000, [] {});
      wait_until_full(other);
    }
    CHECK_FALSE(watch.is_full());
    folder.write("b", 600'000);
    wait_until_full(watch);
  }
  CHECK(told == 1);
}

} // namespace course::build
