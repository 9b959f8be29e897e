#include "cli/pack.hpp"

#include "classroom/archive.hpp"
#include "classroom/hand_made_folder.hpp"

#include <doctest/doctest.h>

#ifdef COURSE_HAS_LIBARCHIVE
namespace course::cli {

TEST_CASE("what is packed is what is read") {
  const classroom::hand_made::Folder folder;
  const auto zip = folder.path / "mine.zip";
  const std::string large(900'000, 'x');
  pack(zip, {{"05_transpose/2_pad.cu", "text"}, {"05_transpose/1_tile.cu", large}});
  const auto read = classroom::read_archive(zip);
  REQUIRE(std::holds_alternative<classroom::Sources>(read));
  const auto& files = std::get<classroom::Sources>(read).files;
  REQUIRE(files.size() == 2);
  CHECK(files[0].path == "05_transpose/2_pad.cu");
  CHECK(files[0].content == "text");
  CHECK(files[1].content == large);
}

TEST_CASE("a zip file that cannot be written is an error") {
  const classroom::hand_made::Folder folder;
  folder.write("file", "");
  CHECK_THROWS_AS(pack(folder.path / "file" / "x.zip", {{"a.cu", ""}}),
                  std::filesystem::filesystem_error);
}

} // namespace course::cli
#endif
