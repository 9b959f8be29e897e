#include "cli/written_file.hpp"

#include "system/file.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace {

// What was forced to the disk, in order, as it was named then.
std::vector<std::string> synced;

} // namespace

// Takes the C library's place in this program.
extern "C" int fsync(int descriptor) {
  const auto link = "/proc/self/fd/" + std::to_string(descriptor);
  synced.push_back(std::filesystem::read_symlink(link));
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

namespace course::cli {
namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("written_file_" + std::to_string(getpid()));
  Folder() { fs::create_directory(path); }
  ~Folder() { fs::remove_all(path); }
};

std::size_t files_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

} // namespace

TEST_CASE("a file is written, and written over, and nothing else is left") {
  const Folder folder;
  write_whole(folder.path / "verdict.json", "a long first content");
  write_whole(folder.path / "verdict.json", "second");
  CHECK(system::content_of(folder.path / "verdict.json") == "second");
  CHECK(files_in(folder.path) == 1);
}

TEST_CASE("who reads the old file goes on reading the old content") {
  const Folder folder;
  const auto file = folder.path / "verdict.json";
  write_whole(file, "old");
  std::ifstream reader(file);
  write_whole(file, "new");
  std::string text;
  reader >> text;
  CHECK(text == "old");
}

TEST_CASE("a file that cannot be written is an error, and leaves nothing") {
  const Folder folder;
  CHECK_THROWS_AS(write_whole(folder.path / "missing" / "x", "y"), fs::filesystem_error);
  fs::create_directory(folder.path / "taken");
  CHECK_THROWS_AS(write_whole(folder.path / "taken", "y"), fs::filesystem_error);
  CHECK(files_in(folder.path) == 1);
}

TEST_CASE("the content is on the disk before it has its name, and the name is there at the end") {
  const Folder folder;
  const auto file = folder.path / "verdict.json";
  synced.clear();
  write_whole(file, "new");
  REQUIRE(synced.size() == 2);
  CHECK(fs::path(synced[0]).parent_path() == folder.path);
  CHECK(synced[0] != file);           // not renamed yet
  CHECK_FALSE(fs::exists(synced[0])); // renamed since
  CHECK(synced[1] == folder.path);
}

TEST_CASE("a name without a folder is one in the working folder, with the user's own permissions") {
  const Folder folder;
  const auto before = fs::current_path();
  fs::current_path(folder.path);
  const auto mask = umask(027);
  write_whole("verdict.json", "new");
  umask(mask);
  fs::current_path(before);
  CHECK(system::content_of(folder.path / "verdict.json") == "new");
  CHECK(fs::status(folder.path / "verdict.json").permissions() == fs::perms(0640));
  CHECK(files_in(folder.path) == 1);
}

TEST_CASE("a device is written to, not replaced") {
  write_whole("/dev/null", "x");
  CHECK(fs::is_character_file("/dev/null"));
  CHECK_THROWS_AS(write_whole("/dev/full", "x"), fs::filesystem_error);
}

} // namespace course::cli
