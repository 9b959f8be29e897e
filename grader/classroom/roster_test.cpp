#include "classroom/roster.hpp"

#include "classroom/staged_folder.hpp"

#include <doctest/doctest.h>

namespace course::classroom {

TEST_CASE("everything in the folder is somebody, if only with a problem") {
  const staged::Folder folder;
  folder.write("anna/2_pad.cu", "");
  folder.write("bert.zip", "");
  folder.write("clara.rar", "");
  folder.write(".DS_Store", "");
  staged::fs::create_symlink("/etc", folder.path / "dora");
  folder.write("L\xf6ve/2_pad.cu", "");
  const auto entries = roster(folder.path);
  REQUIRE(entries.size() == 5);
  CHECK(entries[0].name == "L\xf6ve");
  CHECK(entries[0].problem.empty());
  CHECK(entries[1].id == "anna");
  CHECK(entries[2].name == "bert");
  CHECK(entries[3].problem == "It is neither a folder nor a zip file.");
  CHECK(entries[4].problem == "It is a link, not a folder or a zip file.");
}

TEST_CASE("two submissions of one student are one row that names both") {
  const staged::Folder folder;
  folder.write("anna/2_pad.cu", "");
  folder.write("anna.zip", "");
  const auto entries = roster(folder.path);
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].problem.find("anna and anna.zip") != std::string::npos);
}

TEST_CASE("a folder that is not there is an error") {
  CHECK_THROWS_AS(roster("/not/there"), std::filesystem::filesystem_error);
}

} // namespace course::classroom
