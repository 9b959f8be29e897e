#include "report/class_page.hpp"
#include "report/class_script.hpp"
#include "report/hand_made_students.hpp"
#include "report/student_page.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace course::report {
namespace {

const PageTitle kTitle{"Shared memory <2026>", "", "emulated H200"};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

} // namespace

TEST_CASE("a student's page has each report in both widths") {
  const auto page = student_page(hand_made::student(), kTitle);
  CHECK(has(page, "<pre class=\"wide\" tabindex=\"0\">"));
  CHECK(has(page, "<pre class=\"narrow\" tabindex=\"0\">"));
  CHECK(has(page, "<span class=\"red\">FAILED</span>"));
  CHECK(has(page, "94.5 of 300 points"));
  CHECK(has(page, "05_transpose 1 day late, 10% off"));
}

TEST_CASE("points that weights have changed are explained, others are not") {
  auto student = hand_made::student();
  int most = 0;
  for (const auto& exercise : student.exercises)
    most += exercise.counts() ? exercise.max_points : 0;
  student.max_score = most;
  CHECK_FALSE(has(student_page(student, kTitle), "Labs have weights"));
  student.max_score = 2 * most;
  CHECK(has(student_page(student, kTitle),
            "without them, the exercises come to 105 of " + std::to_string(most) + " points"));
}

TEST_CASE("nothing that a student wrote is markup on a page") {
  const auto page = student_page(hand_made::student(), kTitle);
  CHECK_FALSE(has(page, "<script"));
  CHECK_FALSE(has(page, "\033"));
  CHECK(has(page, "&lt;script&gt;"));
  CHECK(has(page, "default-src 'none'"));
  CHECK_FALSE(has(class_page_row(hand_made::student()), "<script"));
}

TEST_CASE("a class's numbers add up a student at a time") {
  ClassTally tally;
  tally.add(hand_made::student());
  tally.add(hand_made::student());
  CHECK(tally.students == 2);
  CHECK(tally.ungraded == 2);
  CHECK(tally.tenths[3] == 2); // 94.5 of 300
  CHECK(tally.exercises.at("05_transpose/2_pad").failed == 2);
  CHECK(tally.exercises.at("05_transpose/3_rows").passed == 2);
  CHECK(tally.exercises.at("06_constant_memory/1_stencil").missing == 2);
  CHECK(tally.exercises.at("06_constant_memory/2_uniform").refused == 2);
  CHECK(tally.exercises.at("06_constant_memory/3_read_only").not_graded == 2);
  CHECK(tally.checks.at("05_transpose/2_pad conflicts").failed == 2);
  CHECK(tally.checks.count("05_transpose/2_pad time") == 0); // nobody could, so nobody lacks it
}

TEST_CASE("all points, and no points of none, have their places in the distribution") {
  ClassTally tally;
  GradedStudent student;
  tally.add(student);
  student.score = student.max_score = 60;
  tally.add(student);
  student.score = 59.9;
  tally.add(student);
  student.score = 6; // a tenth is the start of the second bar, in spite of rounding
  tally.add(student);
  CHECK(tally.tenths[0] == 1);
  CHECK(tally.tenths[1] == 1);
  CHECK(tally.tenths[9] == 1);
  CHECK(tally.tenths[10] == 1);
}

TEST_CASE("a class's page allows its own script by its digest, and no other") {
  const auto file = std::filesystem::temp_directory_path() / "class_script_of_a_test.js";
  std::ofstream(file) << kClassScript;
  std::FILE* pipe = popen(("sha256sum < '" + file.string() + "'").c_str(), "r");
  REQUIRE(pipe);
  char hex[65] = "";
  CHECK(std::fread(hex, 1, 64, pipe) == 64);
  pclose(pipe);
  std::filesystem::remove(file);
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string base64;
  for (int bit = 0; bit < 256; bit += 6) {
    unsigned value = 0;
    for (int i = bit; i < bit + 6; ++i) {
      const auto digit = std::string_view("0123456789abcdef").find(i < 256 ? hex[i / 4] : '0');
      value = 2 * value + ((digit >> (3 - i % 4)) & 1);
    }
    base64 += kDigits[value];
  }
  CHECK_MESSAGE(base64 + "=" == kClassScriptDigest,
                "class_script.hpp should say " << base64 << "=");
  const auto page = class_page_start({}, {}, {}, kTitle);
  CHECK(has(page, "default-src 'none'"));
  CHECK(has(page, "script-src 'sha256-" + base64 + "='\""));
  CHECK_FALSE(has(student_page(hand_made::student(), kTitle), "script-src"));
}

TEST_CASE("the middle of a class is told as spreadsheets tell it") {
  CHECK(middle_of({}).empty());
  CHECK(middle_of({0.4f}) == "mean 40%, median 40%, a quarter below 40%, a quarter above 40%");
  CHECK(middle_of({1, 0, 0.5f, 0.2f, 0.8f}) ==
        "mean 50%, median 50%, a quarter below 20%, a quarter above 80%");
  CHECK(middle_of({0, 1}) == "mean 50%, median 50%, a quarter below 25%, a quarter above 75%");
}

TEST_CASE("what was decided is shown to the student, and is nothing to look at any more") {
  auto student = hand_made::student();
  student.exercises.resize(1);
  student.exercises[0].state = State::refused;
  student.exercises[0].reason = "two files";
  CHECK(has(class_page_row(student), "two files"));
  student.exercises[0].decided = "7 points instead of 0, decided on 2026-11-22: <b>";
  student.comments = {"well done"};
  student.notes = {"Not on the roster."};
  CHECK_FALSE(has(class_page_row(student), "two files"));
  CHECK(has(class_page_row(student), "decided on 2026-11-22: &lt;b&gt;"));
  CHECK(has(class_page_row(student), "Not on the roster."));
  const auto page = student_page(student, kTitle);
  CHECK(has(page, "7 points instead of 0"));
  CHECK(has(page, "well done"));
  CHECK_FALSE(has(page, "Not on the roster."));
}

TEST_CASE("a class's page names the hardest checks and who is alike") {
  ClassTally tally;
  tally.add(hand_made::student());
  ItemStatistics item{"05_transpose/2_pad", 3, 2.5, -0.1, 4, "x = t[i] < 3;", 2, "wrong/x.cu", 3};
  const auto page = class_page_start(tally, {item},
                                     {{"05_transpose/2_pad",
                                       {"anna", "bert"},
                                       0.83,
                                       20,
                                       {},
                                       "",
                                       {"Anna", "Bert <b>"},
                                       {"a solution"}}},
                                     kTitle) +
                    class_page_row(hand_made::student()) + class_page_end(kTitle);
  CHECK(has(page, "Shared memory &lt;2026&gt;"));
  CHECK(has(page, "<td>05_transpose/<wbr>2_pad conflicts</td><td class=\"n\">1</td>"));
  CHECK(has(page, ">Bert &lt;b&gt;</a>; like a solution</td><td class=\"n\">83%</td>"));
  CHECK(has(page, "<td class=\"n\">2.5</td><td class=\"n\">-0.10</td><td><code>x = t[i] &lt; 3;"
                  "</code> (2 of 4)</td><td>wrong/<wbr>x.cu (3 of 4)</td></tr>"));
  CHECK(has(page, "1 of 1 students have an exercise that could not be graded"));
}

} // namespace course::report
