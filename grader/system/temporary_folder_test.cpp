#include "system/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <optional>

using namespace course::system;
namespace fs = std::filesystem;

TEST_CASE("a temporary folder is there, its owner's alone, until it goes") {
  fs::path path;
  {
    const TemporaryFolder folder("of-a-test");
    path = folder.path();
    CHECK(path.filename().string().starts_with("of-a-test-"));
    CHECK(fs::status(path).permissions() == fs::perms::owner_all);
    folder.let_pass();
    CHECK((fs::status(path).permissions() & fs::perms::others_all) == fs::perms::others_exec);
    std::ofstream(path / "file") << "x";
  }
  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("a temporary folder goes although folders in it may not be emptied") {
  std::optional<TemporaryFolder> folder("of-a-test");
  const auto path = folder->path();
  fs::create_directories(path / "locked/within");
  std::ofstream(path / "locked/within/file") << "x";
  fs::permissions(path / "locked/within", fs::perms::none);
  fs::permissions(path / "locked", fs::perms::owner_read);
  folder.reset();
  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("a temporary folder that was handed on is removed once, by who has it") {
  TemporaryFolder first("of-a-test");
  const auto path = first.path();
  {
    const TemporaryFolder second = std::move(first);
    CHECK(second.path() == path);
    CHECK(fs::exists(path));
  }
  CHECK_FALSE(fs::exists(path));
}
