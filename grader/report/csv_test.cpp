#include "report/csv.hpp"

#include "report/hand_made_students.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace course::report {

TEST_CASE("a cell that a spreadsheet would calculate is text") {
  CHECK(csv_cell("=1+1") == "'=1+1");
  CHECK(csv_cell("+1") == "'+1");
  CHECK(csv_cell("-1") == "'-1");
  CHECK(csv_cell("@SUM(A1)") == "'@SUM(A1)");
  CHECK(csv_cell("\t=1+1").starts_with("'"));
  CHECK(csv_cell(" \n=1+1") == "'  =1+1");
  CHECK(csv_cell("1-1") == "1-1");
  CHECK(csv_cell(" ") == " ");
  CHECK(csv_cell("") == "");
}

TEST_CASE("commas and quote marks stay inside their cell, and line ends outside of all") {
  CHECK(csv_cell("a,b") == "\"a,b\"");
  CHECK(csv_cell("say \"no\"") == "\"say \"\"no\"\"\"");
  CHECK(csv_cell("a\nb\r") == "a b?");
}

TEST_CASE("each exercise is a line of as many cells as the header has") {
  const auto rows = csv_rows(hand_made::student());
  CHECK(std::count(rows.begin(), rows.end(), '\n') == 6);
  const auto cells = [](std::string_view line) {
    bool quoted = false;
    return std::count_if(line.begin(), line.end(), [&](char c) {
      if (c == '"') quoted = !quoted;
      return c == ',' && !quoted;
    });
  };
  std::size_t at = 0;
  while (at < rows.size()) {
    const auto end = rows.find('\n', at);
    CHECK(cells(rows.substr(at, end - at)) == cells(kCsvHeader));
    at = end + 1;
  }
  CHECK(rows.find("graded,failed,45,60,conflicts,") != rows.npos);
}

TEST_CASE("what was not graded has no points, not zero points") {
  GradedStudent student;
  student.name = "anna";
  student.exercises = {hand_made::ungraded(State::not_graded, "a/b")};
  CHECK(csv_rows(student).starts_with("anna,a,a/b,not_graded,,,,,"));
  student.exercises = {hand_made::ungraded(State::missing, "a/b")};
  CHECK(csv_rows(student).starts_with("anna,a,a/b,missing,,0,60,,"));
}

TEST_CASE("a total says what has to be decided, until it is") {
  GradedStudent student;
  student.exercises = {hand_made::ungraded(State::refused, "a/b")};
  CHECK(totals_row(student).find("a/b: because of") != std::string::npos);
  student.exercises[0].decided = "5 points instead of 0";
  CHECK(totals_row(student).find("because of") == std::string::npos);
}

TEST_CASE("a total says what was decided") {
  auto student = hand_made::student();
  student.exercises[0].decided = "7 points instead of 0, decided on 2026-11-22: =so";
  CHECK(totals_row(student).find(
            "05_transpose/2_pad: 7 points instead of 0, decided on 2026-11-22: =so") !=
        std::string::npos);
}

TEST_CASE("a student's total is one line") {
  const auto row = totals_row(hand_made::student());
  CHECK(std::count(row.begin(), row.end(), '\n') == 1);
  CHECK(row.find(",94.50,300.00,") != row.npos);
}

} // namespace course::report
