#include "cli/written_file.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <unistd.h>

namespace course::cli {
namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("written_file_" + std::to_string(getpid()));
  Folder() { fs::create_directory(path); }
  ~Folder() { fs::remove_all(path); }
};

std::string read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::size_t files_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

} // namespace

TEST_CASE("a file is written, and written over, and nothing else is left") {
  const Folder folder;
  write_whole(folder.path / "verdict.json", "a long first content");
  write_whole(folder.path / "verdict.json", "second");
  CHECK(read(folder.path / "verdict.json") == "second");
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

TEST_CASE("a device is written to, not replaced") {
  write_whole("/dev/null", "x");
  CHECK(fs::is_character_file("/dev/null"));
  CHECK_THROWS_AS(write_whole("/dev/full", "x"), fs::filesystem_error);
}

} // namespace course::cli
