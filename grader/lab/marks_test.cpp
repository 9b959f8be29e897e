#include "lab/marks.hpp"

#include <doctest/doctest.h>

namespace course::lab {
namespace {

const std::string kSkeleton = R"(// 05_transpose/2_pad: a title
//! [kernel]
void f() {
  //! [work]
  // TODO: the shape.
  int tile[32];
  //! [work]
  use(tile);
}
//! [kernel]
)";
const std::string kSolution = R"(// 05_transpose/2_pad: a title
//! [kernel]
void f() {
  //! [work]
  int tile[33];
  //! [work]
  use(tile);
}
//! [kernel]
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

using What = Complaint::What;

// The one complaint about a pair.
Complaint complaint(const std::string& skeleton, const std::string& solution) {
  const auto all = differences(skeleton, solution);
  REQUIRE(all.size() == 1);
  return all[0];
}
Complaint of_region(What what, std::size_t number) {
  return {what, {}, {}, {}, number};
}

} // namespace

TEST_CASE("a skeleton and its solution differ inside the marks only") {
  CHECK(differences(kSkeleton, kSolution).empty());
}

TEST_CASE("a change outside the marks is found, and where") {
  CHECK(complaint(replaced(kSkeleton, "use(tile)", "use(&tile)"), kSolution) ==
        of_region(What::differs_outside, 1));
  CHECK(complaint(kSkeleton, replaced(kSolution, "void f", "int f")) ==
        of_region(What::differs_outside, 0));
}

TEST_CASE("a skeleton that is its own solution is found") {
  CHECK(differences(kSkeleton, kSkeleton).at(0) == of_region(What::same_region, 1));
}

TEST_CASE("a skeleton must say what to do, a solution must not") {
  const auto silent = replaced(kSkeleton, "// TODO: the shape.", "// the shape.");
  CHECK(complaint(silent, kSolution) == of_region(What::nothing_to_do, 1));
  const auto unfinished = replaced(kSolution, "int tile", "int /* TODO */ tile");
  CHECK(complaint(kSkeleton, unfinished).what == What::still_to_do);
}

TEST_CASE("regions must be as many in both, and at least one") {
  const std::string more = kSolution + "//! [work]\nint x;\n//! [work]\n";
  CHECK(complaint(kSkeleton, more).what == What::other_number_of_regions);
  CHECK(complaint("int x;\n", "int y;\n").what == What::no_region);
}

TEST_CASE("a student's work stands between two plain sentences") {
  auto in_words = [](std::string text) {
    text = replaced(text, "//! [work]", "// Your work begins here.");
    return replaced(text, "//! [work]", "// Your work ends here.");
  };
  CHECK(differences(in_words(kSkeleton), in_words(kSolution)).empty());
  CHECK(cut(in_words(kSkeleton)).work == cut(kSkeleton).work);
  CHECK(cut("// Your work ends here.\n").complaints.size() == 1);
  CHECK(cut("// Your work begins here.\n// Your work begins here.\n").complaints.size() == 1);
  CHECK(cut("// Your work begins here.\nint x;\n").complaints.size() == 1);
}

TEST_CASE("marks that stay open or overlap are found") {
  CHECK(cut("//! [work]\nint x;\n").complaints.size() == 1);
  CHECK(complaint("//! [work]\nint x;\n", kSolution) ==
        Complaint{What::not_closed, Complaint::Of::skeleton, "work"});
  CHECK(cut("//! [kernel]\n//! [work]\n//! [kernel]\n//! [work]\n").complaints.size() == 1);
  CHECK(cut("//! [work]\n//! [kernel]\n//! [kernel]\n//! [work]\n").complaints.size() == 1);
  CHECK(cut(kSkeleton).complaints.empty());
}

TEST_CASE("a hundred thousand open marks are told in a moment, and the first that opens twice") {
  constexpr int kMarks = 100'000; // comparing each with all others takes half a minute
  std::string many;
  for (int i = 0; i < kMarks; ++i) many += "//! [" + std::to_string(i) + "]\n";
  CHECK(cut(many).complaints.size() == kMarks);
  const auto twice = cut(many + "//! [7]\n//! [8]\n").complaints;
  CHECK(twice == std::vector<Complaint>{{What::overlaps, {}, "7", "99999"}});
}

TEST_CASE("text that only looks like a mark is none") {
  CHECK(cut("int x; //! [work]\n// [work]\n//! work\n").work.empty());
}

TEST_CASE("the form of a file is checked: first line, length, width") {
  CHECK(form(kSkeleton, "// 05_transpose/2_pad: a title").empty());
  CHECK(form(kSkeleton, "// another").size() == 1);
  CHECK(form("", "// first").size() == 1);
  std::string tall = "// first\n", wide = "// first\n";
  for (int i = 0; i < 79; ++i) tall += "\n";
  wide += std::string(80, 'x') + "\n";
  CHECK(form(tall, "// first").empty());
  CHECK(form(wide, "// first").empty());
  CHECK(form(tall + "\n", "// first").size() == 1);
  CHECK(form(tall + "\n", "// first", kLinesOfSolution).empty());
  CHECK(form(wide + std::string(81, 'x'), "// first").size() == 1);
}

TEST_CASE("a wrong variant names the checks it fails, and why") {
  const auto one = confession("// wrong: conflicts: the tile is not padded\nint x;\n");
  CHECK(one.checks == std::vector<std::string>{"conflicts"});
  CHECK(one.why == "the tile is not padded");
  const auto two = confession("// wrong: output, memory: no barrier: lanes read too soon");
  CHECK(two.checks == std::vector<std::string>{"output", "memory"});
  CHECK(two.why == "no barrier: lanes read too soon");
}

TEST_CASE("a first line of another form names nothing") {
  for (const char* line : {"", "// wrong conflicts", "// wrong: conflicts", "wrong: a: b"})
    CHECK(confession(line).checks.empty());
}

} // namespace course::lab
