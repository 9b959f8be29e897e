#include "classroom/submission.hpp"

#include "classroom/hand_made_folder.hpp"

#include <doctest/doctest.h>

namespace course::classroom {
namespace {

Submission with(std::vector<SourceFile> files) {
  return recognise({std::move(files), {}}, hand_made::exercises());
}

// "05_transpose/2_pad=path", a space between; "!" where it is refused.
std::string found(const Submission& submission) {
  std::string text;
  for (const auto& file : submission.files)
    text += (text.empty() ? "" : " ") + file.exercise->id + (file.refused.empty() ? "=" : "!") +
            file.path;
  return text;
}

} // namespace

TEST_CASE("a file is found by its folder, its name, or what platforms make of it") {
  for (const char* path :
       {"05_transpose/2_pad.cu", "labs/05_transpose/2_pad.cu", "2_pad.cu", "2_PAD.CU",
        "deep/in/there/2_pad.cu", "2_pad (1).cu", "2_pad(12).cu", "2_pad-1.cu", "2_pad copy.cu",
        "anna_4711_05_transpose_2_pad.cu", "05_transpose-2_pad (2).cu", "05_TRANSPOSE/2_Pad.cu"}) {
    INFO(path);
    CHECK(found(with({{path, "text", ""}})) == std::string("05_transpose/2_pad=") + path);
  }
}

TEST_CASE("a file alone is a submission, as Autolab has it") {
  const hand_made::Folder folder;
  const auto file = folder.write("2_pad.cu", "text");
  Place place;
  place.path = file;
  const auto submission = read_submission(place, hand_made::exercises());
  CHECK(found(submission) == "05_transpose/2_pad=2_pad.cu");
  CHECK(submission.problems.empty());
}

TEST_CASE("a name that two labs have needs its folder, its lab, or its first line") {
  const auto lost = with({{"1_tile.cu", "text", ""}});
  CHECK(lost.files.empty());
  REQUIRE(lost.problems.size() == 1);
  CHECK(lost.problems[0].find("05_transpose/1_tile or 08_tiled_product/1_tile") !=
        std::string::npos);
  CHECK(found(with({{"08_tiled_product/1_tile.cu", "", ""}})) ==
        "08_tiled_product/1_tile=08_tiled_product/1_tile.cu");
  CHECK(found(with({{"1_tile.cu", "// 05_transpose/1_tile: a title\nint x;", ""}})) ==
        "05_transpose/1_tile=1_tile.cu");
}

TEST_CASE("a name that says nothing is known by the first line that the skeleton gave") {
  CHECK(found(with({{"final_FINAL.cu", "// 05_transpose/2_pad: t\n", ""}})) ==
        "05_transpose/2_pad=final_FINAL.cu");
  CHECK(found(with({{"final.cu", "int x;\n// 05_transpose/2_pad: t\n", ""}})) == "");
}

TEST_CASE("of two different files for one exercise neither is graded, two equal ones are one") {
  const auto two = with({{"a/2_pad.cu", "one", ""}, {"b/2_pad.cu", "other", ""}});
  REQUIRE(two.files.size() == 1);
  CHECK(two.files[0].refused.find("a/2_pad.cu and b/2_pad.cu") != std::string::npos);
  CHECK(two.files[0].content.empty());
  CHECK(found(with({{"a/2_pad.cu", "one", ""}, {"b/2_pad.cu", "one", ""}})) ==
        "05_transpose/2_pad=a/2_pad.cu");
}

TEST_CASE("a submission without anything to grade says what it has instead") {
  CHECK(with({}).problems == std::vector<std::string>{"There is no .cu file in it."});
  const auto other = with({{"hello.cu", "int x;", ""}, {"world.cu", "int y;", ""}});
  REQUIRE(other.problems.size() == 1);
  CHECK(other.problems[0].find("hello.cu, …") != std::string::npos);
}

TEST_CASE("a folder is read without following links, and large files are refused") {
  const hand_made::Folder folder;
  folder.write("anna/05_transpose/2_pad.cu", "text");
  folder.write("anna/.git/08_tiled_product/2_ratio.cu", "no");
  folder.write("secret.cu", "secret");
  hand_made::fs::create_symlink(folder.path / "secret.cu", folder.path / "anna/2_ratio.cu");
  hand_made::fs::create_directory_symlink("..", folder.path / "anna/up");
  folder.write("anna/05_transpose/1_tile.cu", "x");
  hand_made::fs::resize_file(folder.path / "anna/05_transpose/1_tile.cu", 1'000'000'000);
  const auto submission = read_submission({folder.path / "anna", {}}, hand_made::exercises());
  CHECK(found(submission) == "05_transpose/1_tile!05_transpose/1_tile.cu "
                             "05_transpose/2_pad=05_transpose/2_pad.cu "
                             "08_tiled_product/2_ratio!2_ratio.cu");
  CHECK(submission.files[0].refused == "05_transpose/1_tile.cu is larger than 1 MB.");
  CHECK(submission.files[2].refused == "2_ratio.cu is a link, not a file.");
  CHECK(submission.files[1].time > 0);
  CHECK(submission.files[1].clock == "date of the file");
}

TEST_CASE("an empty folder is a sentence, and names of any bytes are read") {
  const hand_made::Folder folder;
  hand_made::fs::create_directories(folder.path / "anna/nothing");
  const auto none = read_submission({folder.path / "anna", {}}, hand_made::exercises());
  CHECK(none.problems == std::vector<std::string>{"There is no .cu file in it."});
  folder.write("bert/L\xf6sung/2_pad.cu", "text"); // Latin-1
  folder.write("bert/\xff\xfe/notes.txt", "");
  CHECK(found(read_submission({folder.path / "bert", {}}, hand_made::exercises())) ==
        "05_transpose/2_pad=L\xf6sung/2_pad.cu");
}

TEST_CASE("what is no submission is a sentence") {
  const hand_made::Folder folder;
  hand_made::fs::create_directory_symlink("/etc", folder.path / "link");
  CHECK_FALSE(read_submission({folder.path / "link", {}}, hand_made::exercises()).problems.empty());
  CHECK_FALSE(read_submission({folder.path / "gone", {}}, hand_made::exercises()).problems.empty());
  CHECK_FALSE(read_submission({folder.write("x.zip", "no zip"), {}}, hand_made::exercises())
                  .problems.empty());
}

TEST_CASE("two parts of one name are told apart by what the platform calls them") {
  const hand_made::Folder folder;
  folder.write("anna_7_10001_2_pad.cu", "a");
  folder.write("anna_7_10002_2_pad.cu", "b");
  const Place place{folder.path,
                    {{"anna_7_10001_2_pad.cu", "2_pad.cu"}, {"anna_7_10002_2_pad.cu", "2_pad.cu"}}};
  const auto read = read_submission(place, hand_made::exercises());
  REQUIRE(read.files.size() == 1);
  CHECK(read.files[0].refused == "There are two different files for it, anna_7_10001_2_pad.cu and "
                                 "anna_7_10002_2_pad.cu: which one counts?");
}

TEST_CASE("an instructor's word says which of two files counts, and the other is named") {
  const Sources two{{{"2_pad.cu", "one", ""}, {"2_pad-1.cu", "other", ""}}, {}};
  const auto read = [&](const Reading& how) { return recognise(two, hand_made::exercises(), how); };
  const auto chosen = read({"", {{"05_transpose/2_pad", "2_pad-1.cu"}}});
  CHECK(found(chosen) == "05_transpose/2_pad=2_pad-1.cu");
  CHECK(chosen.ignored == std::vector<std::string>{"2_pad.cu does not count: 2_pad-1.cu does"});
  CHECK(found(read({"", {{"05_transpose/2_pad", "2_pad-7.cu"}}})) ==
        "05_transpose/2_pad!2_pad.cu"); // there is none of this name: it is asked again
  CHECK(found(read({"", {{"08_tiled_product/2_ratio", "2_pad.cu"}}})) ==
        "05_transpose/2_pad!2_pad.cu");
}

TEST_CASE("the newest is what Canvas numbered highest, then what was changed last") {
  const auto newest = [](std::vector<SourceFile> files) {
    return found(recognise({std::move(files), {}}, hand_made::exercises(), {"", {}, true}));
  };
  const SourceFile first{"2_pad.cu", "one", "", 300, "date of the file"};
  CHECK(newest({first, {"2_pad-1.cu", "other", "", 200, ""}}) == "05_transpose/2_pad=2_pad-1.cu");
  CHECK(newest({first, {"2_pad-2.cu", "b", "", 1, ""}, {"2_pad-10.cu", "c", "", 1, ""}}) ==
        "05_transpose/2_pad=2_pad-10.cu");
  CHECK(newest({first, {"old/2_pad.cu", "other", "", 200, ""}}) == "05_transpose/2_pad=2_pad.cu");
  CHECK(newest({first, {"old/2_pad.cu", "other", "", 300, ""}}) ==
        "05_transpose/2_pad!2_pad.cu"); // of the same second: which one counts?
  CHECK(newest({first, {"old/2_pad.cu", "one", "", 100, ""}}) == "05_transpose/2_pad=2_pad.cu");
}

TEST_CASE("a file of another lab, in the folder of a lab, says whose it is") {
  const Sources sources{{{"2_ratio.cu", "x", ""}, {"mine.cu", "y", ""}}, {}};
  const auto read = recognise(sources, hand_made::exercises(), {"05_transpose"});
  CHECK(read.files.empty());
  CHECK(read.problems ==
        std::vector<std::string>{
            "2_ratio.cu is of 08_tiled_product, and this is the folder of 05_transpose."});
  CHECK(read.ignored.back() == "mine.cu is no exercise, by its name or first line");
}

} // namespace course::classroom
