#include "progress/saved_files.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <unistd.h>

namespace course::progress {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

struct SavedFolder {
  fs::path path = fs::temp_directory_path() / ("saved_files_" + std::to_string(getpid()));
  SavedFolder() {
    fs::create_directory(path);
    write(a(), "one");
    write(b(), "two");
  }
  ~SavedFolder() { fs::remove_all(path); }
  fs::path a() const { return path / "a.cu"; }
  fs::path b() const { return path / "b.cu"; }
  static void write(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
  }
};

// Looks 30 ms apart until a save is seen, at most so many. Time is not waited for.
struct Looks {
  SavedFiles files;
  SavedFiles::Clock::time_point now = SavedFiles::Clock::now();

  std::optional<SavedFiles::Save> until_save(int most = 30) {
    for (int i = 0; i < most; ++i) {
      now += 30ms;
      if (auto save = files.look(0, now)) return save;
    }
    return std::nullopt;
  }
};

} // namespace

TEST_CASE("nothing was saved until something is") {
  const SavedFolder folder;
  Looks looks{SavedFiles({folder.a(), folder.b()})};
  CHECK_FALSE(looks.until_save());
  SavedFolder::write(folder.a(), "three");
  const auto save = looks.until_save(2);
  REQUIRE(save);
  CHECK(save->file == 0);
  CHECK(save->changed);
  CHECK_FALSE(looks.until_save());
}

TEST_CASE("a file that is not worked on is seen as well, a little later") {
  const SavedFolder folder;
  Looks looks{SavedFiles({folder.a(), folder.b()})};
  SavedFolder::write(folder.b(), "three");
  const auto save = looks.until_save();
  REQUIRE(save);
  CHECK(save->file == 1);
}

TEST_CASE("a save of the same text is a save without a change, and is told once") {
  const SavedFolder folder;
  Looks looks{SavedFiles({folder.a()})};
  fs::last_write_time(folder.a(), fs::last_write_time(folder.a()) + 5s);
  const auto save = looks.until_save();
  REQUIRE(save);
  CHECK_FALSE(save->changed);
  CHECK_FALSE(looks.until_save(200));
}

TEST_CASE("a save within the same tick of the file system's clock, of the same size, is seen") {
  const SavedFolder folder;
  Looks looks{SavedFiles({folder.a()})};
  SavedFolder::write(folder.a(), "ABC");
  REQUIRE(looks.until_save());
  const auto time = fs::last_write_time(folder.a());
  SavedFolder::write(folder.a(), "XYZ");
  fs::last_write_time(folder.a(), time);
  const auto save = looks.until_save();
  REQUIRE(save);
  CHECK(save->changed);
}

TEST_CASE("a file that is being written counts when it is whole") {
  const SavedFolder folder;
  Looks looks{SavedFiles({folder.a()})};
  SavedFolder::write(folder.a(), ""); // truncated, and not written yet
  CHECK_FALSE(looks.until_save(5));
  SavedFolder::write(folder.a(), "half");
  CHECK_FALSE(looks.until_save(1));
  SavedFolder::write(folder.a(), "half and half");
  CHECK(looks.until_save(2));
}

TEST_CASE(
    "an editor that writes another file and renames it is noticed; a missing file is no save") {
  const SavedFolder folder;
  Looks looks{SavedFiles({folder.a(), folder.path / "missing.cu"})};
  SavedFolder::write(folder.path / "temporary", "renamed");
  fs::rename(folder.path / "temporary", folder.a());
  CHECK(looks.until_save());
  fs::remove(folder.a());
  CHECK_FALSE(looks.until_save());
  SavedFolder::write(folder.a(), "back");
  CHECK(looks.until_save());
}

} // namespace course::progress
