#include "classroom/grader_digest.hpp"

#include "classroom/hand_made_folder.hpp"

#include <doctest/doctest.h>

namespace course::classroom {

TEST_CASE("another program is another grader, and the same one is read once") {
  const hand_made::Folder folder;
  const auto program = folder.write("course", "version 1");
  const auto first = grader_digest(folder.path, {program});
  CHECK(grader_digest(folder.path, {program}) == first);
  folder.write("course", "version 2, longer");
  CHECK(grader_digest(folder.path, {program}) != first);
  CHECK(grader_digest(folder.path, {program, folder.write("host", "x")}) != first);
}

TEST_CASE("a damaged note of the digest is made again") {
  const hand_made::Folder folder;
  const auto program = folder.write("course", "version 1");
  const auto digest = grader_digest(folder.path, {program});
  for (const char* text : {"", "[]", "{\"digest\": 1}", "{"}) {
    folder.write("grader.json", text);
    CHECK(grader_digest(folder.path, {program}) == digest);
  }
  CHECK_THROWS_AS(grader_digest(folder.path, {folder.path / "gone"}),
                  std::filesystem::filesystem_error);
}

} // namespace course::classroom
