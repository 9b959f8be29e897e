#include "classroom/published_file.hpp"

#include "classroom/staged_folder.hpp"

#include <doctest/doctest.h>

namespace course::classroom {

TEST_CASE("a draft is not there until it is published, and leaves nothing when it is not") {
  const staged::Folder folder;
  const auto file = folder.path / "new" / "grades.csv";
  {
    Draft draft(file);
    draft.write("half");
    CHECK_FALSE(content_of(file));
  }
  CHECK(std::filesystem::is_empty(file.parent_path()));
  Draft draft(file);
  draft.write("who");
  draft.write("le");
  draft.publish(Durable::yes);
  CHECK(content_of(file) == "whole");
}

TEST_CASE("a file that cannot be written stays as it was") {
  const staged::Folder folder;
  folder.write("file", "old");
  CHECK_THROWS_AS(publish(folder.path / "file" / "below", "new"),
                  std::filesystem::filesystem_error);
  CHECK(content_of(folder.path / "file") == "old");
}

} // namespace course::classroom
