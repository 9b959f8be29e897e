#include "cli/chosen.hpp"

#include "lab/labs.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <unistd.h>

namespace course::cli {
namespace {

std::string complaint(const std::string& word) {
  const auto result = choose(COURSE_SOURCE_DIR, {word});
  const auto* text = std::get_if<std::string>(&result);
  return text ? *text : "";
}

} // namespace

TEST_CASE("words become exercises, in the order typed") {
  const auto result = choose(COURSE_SOURCE_DIR, {"3_rows", "05_transpose/1_tile"});
  const auto& chosen = std::get<std::vector<Chosen>>(result);
  REQUIRE(chosen.size() == 2);
  CHECK(chosen[0].exercise->name() == "3_rows");
  CHECK(chosen[1].exercise->name() == "1_tile");
  CHECK(chosen[0].file.empty());
}

TEST_CASE("the path of a file that exists is the file to grade") {
  const auto folder =
      std::filesystem::temp_directory_path() / ("chosen_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const auto file = folder / "2_pad.cu";
  std::ofstream(file) << "x";
  const auto result = choose(COURSE_SOURCE_DIR, {file.string()});
  std::filesystem::remove_all(folder);
  const auto& chosen = std::get<std::vector<Chosen>>(result);
  CHECK(chosen[0].exercise->name() == "2_pad");
  CHECK(chosen[0].file == file);
}

TEST_CASE("a word that means nothing is answered with what is near, without control bytes") {
  CHECK(complaint("2_bad").find("05_transpose/2_pad") != std::string::npos);
  CHECK(complaint("05_transpose").find("05_transpose/4_any_shape") != std::string::npos);
  CHECK(complaint("\033[2J").find('\033') == std::string::npos);
}

TEST_CASE("the path of a file that is not there is not taken for the student's own file") {
  CHECK(complaint("/nonexistent/2_pad.cu").find("there is no file /nonexistent/2_pad.cu") !=
        std::string::npos);
  CHECK(complaint("mine/05_transpose/2_pad.cu").find("there is no file") != std::string::npos);
  CHECK(complaint("labs/05_transpose/2_pad.cu").empty());
  CHECK(complaint("./labs/05_transpose/2_pad.cu").empty());
  CHECK(complaint("05_transpose/2_pad.cu").empty());
  CHECK(complaint("2_pad.cu").empty());
}

TEST_CASE("a path as Windows has it is one of Linux, and of WSL where it names a drive") {
  CHECK(as_linux_path("labs\\05_transpose\\2_pad.cu") == "labs/05_transpose/2_pad.cu");
  CHECK(as_linux_path("C:\\Users\\anna\\2_pad.cu") == "/mnt/c/Users/anna/2_pad.cu");
  CHECK(as_linux_path("labs/05_transpose/2_pad.cu") == "labs/05_transpose/2_pad.cu");
  CHECK(as_linux_path("\\") == "/");
  CHECK(as_linux_path("").empty());
  CHECK(complaint("labs\\05_transpose\\2_pad.cu").empty());
  CHECK(complaint("C:\\gone\\2_pad.cu").find("no file /mnt/c/gone/2_pad.cu") != std::string::npos);
}

TEST_CASE("a folder is answered with the exercises of that lab") {
  const auto folder =
      std::filesystem::temp_directory_path() / ("chosen_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "06_constant_memory");
  const auto said = complaint((folder / "06_constant_memory/").string());
  std::filesystem::remove_all(folder);
  CHECK(said.find("is a folder") != std::string::npos);
  CHECK(said.find("\n  06_constant_memory/1_stencil") != std::string::npos);
  CHECK(said.find("05_transpose") == std::string::npos);
}

TEST_CASE("the course's solution is meant where it is asked for, though a file was typed") {
  const std::filesystem::path root = COURSE_SOURCE_DIR;
  const auto typed = (root / "labs/05_transpose/2_pad.cu").string();
  const auto chosen = std::get<std::vector<Chosen>>(choose(root, {typed}));
  CHECK(file_of(chosen[0], "", true, root) == root / "solutions/05_transpose/2_pad.cu");
  CHECK(file_of(chosen[0], "", false, root) == typed);
  CHECK(file_of(chosen[0], "mine.cu", false, root) == "mine.cu");
}

TEST_CASE("one wrong word among right ones is a complaint") {
  CHECK(std::holds_alternative<std::string>(choose(COURSE_SOURCE_DIR, {"2_pad", "nothing"})));
}

TEST_CASE("everything is every exercise") {
  CHECK(std::get<std::vector<Chosen>>(everything(COURSE_SOURCE_DIR)).size() >= 4);
}

TEST_CASE("a wrong variant that is kept as edits is a file by the name that it would have") {
  const auto& exercise = *lab::find(lab::exercises(COURSE_SOURCE_DIR), "2_pad").exercise;
  const std::filesystem::path root = COURSE_SOURCE_DIR;
  const auto named = root / "solutions/05_transpose/wrong/2_pad_two_words.cu";
  CHECK_FALSE(std::filesystem::exists(named));
  std::filesystem::path written;
  {
    const MeantFile meant({&exercise, {}}, named, false, root);
    written = meant.path();
    CHECK(written.filename() == "2_pad_two_words.cu");
    const auto variant = named_variant(exercise, "two_words", root);
    REQUIRE(std::holds_alternative<lab::Variant>(variant));
    CHECK(text_of(written) == *std::get<lab::Variant>(variant).text());
  }
  CHECK_FALSE(std::filesystem::exists(written));
  const auto nowhere = root / "solutions/05_transpose/wrong/2_pad_not_there.cu";
  CHECK(MeantFile({&exercise, {}}, nowhere, false, root).path() == nowhere);
  const auto solution = root / "solutions/05_transpose/2_pad.cu";
  CHECK(MeantFile({&exercise, {}}, solution, false, root).path() == solution);
}

TEST_CASE("a wrong variant of no such name is complained of with those that there are") {
  const auto& exercise = *lab::find(lab::exercises(COURSE_SOURCE_DIR), "2_pad").exercise;
  const auto what = std::get<std::string>(named_variant(exercise, "threewords", COURSE_SOURCE_DIR));
  CHECK(what.find("no wrong variant of 05_transpose/2_pad is called \"threewords\"") == 0);
  CHECK(what.find("\n  two_words\n") != what.npos);
  CHECK(std::get<std::string>(named_variant(exercise, "x", "/nowhere")) ==
        "there are no wrong variants of 05_transpose/2_pad here");
}

} // namespace course::cli
