#include "progress/meaning.hpp"

#include "lab/labs.hpp"
#include "language/translate.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <unistd.h>

namespace course::progress {
namespace {

Run failing() {
  Run run;
  run.ending = judge::Ending::failed;
  run.shared_requests = run.ideal = 100;
  run.wavefronts = 1650;
  run.scores = {{"output", judge::Status::passed, "every element", ""},
                {"conflicts", judge::Status::failed, "31 per request, on line 25", "0"},
                {"time", judge::Status::not_measured, "needs a GPU", ""}};
  return run;
}

lab::Exercise exercise() {
  lab::Exercise exercise;
  exercise.id = "02_padding/1_square";
  exercise.checks = {{"conflicts", 20, "", "a tile exists without any", {}}};
  return exercise;
}

} // namespace

TEST_CASE("each check of each exercise has words of its own, and so has each step before them") {
  const auto fallback = meaning("a row of a table");
  for (const auto& one : lab::exercises(COURSE_SOURCE_DIR)) {
    if (!one.launches) continue; // its checks are answers
    for (const auto& check : one.checks) {
      if (check.check == "answers") continue; // beside a kernel
      CAPTURE(one.id);
      CHECK_MESSAGE(meaning(check.check) != fallback, check.check);
    }
  }
  for (const char* step : {"compile", "host", "launch", "kernel"}) CHECK(meaning(step) != fallback);
}

TEST_CASE("what failed is explained first, with its numbers, its limit and where to read") {
  const auto text = explain(exercise(), failing(), "chapters/02_padding.md", {100, false});
  const auto conflicts = text.find("conflicts, not yet: 31 per request, on line 25; limit 0");
  CHECK(conflicts != std::string::npos);
  CHECK(conflicts < text.find("output, passed"));
  CHECK(text.find("1,550 conflicts") != std::string::npos);
  CHECK(text.find("a tile exists without any") != std::string::npos);
  CHECK(text.find("time, not measured: needs a GPU") != std::string::npos);
  CHECK(text.find("Read on in chapters/02_padding.md.") != std::string::npos);
}

TEST_CASE("a check that passed and earned nothing is explained by the one it waits for") {
  auto run = failing();
  const auto told = [&] { return explain(exercise(), run, "", {100, false}); };
  CHECK(told().find("count once") == std::string::npos);
  run.scores[0].awaited = "memory";
  CHECK(told().find("output, passed: every element\n    Points of output count once memory "
                    "passes.\n") != std::string::npos);
}

TEST_CASE("an explanation fits a narrow terminal, and what a student printed steers nothing") {
  auto run = failing();
  run.headline = "\033[31mIt crashed.";
  const auto text = explain(exercise(), run, "chapter 2 of the book", {40, false});
  for (const auto& line : report::lines_of(text)) CHECK(report::columns(line) <= 40);
  CHECK(text.find('\033') == std::string::npos);
}

TEST_CASE("a chapter is a file of the course, the one that sets the exercise") {
  const auto root =
      std::filesystem::temp_directory_path() / ("meaning_" + std::to_string(getpid()));
  std::filesystem::create_directories(root / "chapters");
  CHECK(chapter_of(exercise(), root) == "chapter 2 of the book");
  std::ofstream(root / "chapters" / "02_padding.md") << "# Padding\n";
  CHECK(chapter_of(exercise(), root) == "chapters/02_padding.md");
  if (language::speak("zh_CN")) { // in the reader's language once it is translated
    CHECK(chapter_of(exercise(), root) == "chapters/02_padding.md");
    std::filesystem::create_directories(root / "chapters" / "zh");
    std::ofstream(root / "chapters" / "zh" / "02_padding.md") << "# 填充\n";
    CHECK(chapter_of(exercise(), root) == "chapters/zh/02_padding.md");
    language::speak("");
    CHECK(chapter_of(exercise(), root) == "chapters/02_padding.md");
  }
  // A lab goes on in another chapter: what sets the exercise counts, and no page about writing.
  const auto mark = "{{exercise " + exercise().id + "}}\n";
  std::ofstream(root / "chapters" / "README.md") << mark;
  CHECK(chapter_of(exercise(), root) == "chapters/02_padding.md");
  std::ofstream(root / "chapters" / "12_more.md") << "# More\n\n" << mark;
  CHECK(chapter_of(exercise(), root) == "chapters/12_more.md");
  std::filesystem::remove_all(root);
  CHECK(chapter_of(exercise(), root) == "chapter 2 of the book");
}

} // namespace course::progress
