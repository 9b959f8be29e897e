#include "classroom/platform_tables.hpp"

#include "classroom/csv_table.hpp"
#include "classroom/people.hpp"

#include <doctest/doctest.h>

namespace course::classroom {
namespace {

const std::string kGradebook =
    "Student,ID,SIS User ID,SIS Login ID,Section,Lab 5 (101)\n"
    "    Points Possible,,,,,10.00\n"
    "\"Smith, Anna\",12345,s001,annas,CS 420-01,\n"
    "\"Müller \"\"Jo\"\", Jörg\",12346,s002,joerg,\"CS 420-01, CS 421\",\n";

const std::vector<report::GradedLab> kLabs{{"05_transpose", "Lab 5 (101)", 0, 20},
                                           {"08_tiled_product", "", 0, 4}};

report::GradedStudent student_of(const Person& person, double score, double most) {
  report::GradedStudent student;
  student.name = person.name;
  student.sortable = person.sortable;
  student.school_id = person.id;
  student.login = person.login;
  student.email = person.email;
  student.section = person.section;
  student.platform = person.platform;
  student.labs = {{"05_transpose", "Lab 5 (101)", score, most}, {"08_tiled_product", "", 1, 4}};
  student.score = score + 1;
  student.max_score = most + 4;
  return student;
}

std::vector<Person> roster_of(const std::string& csv) {
  return std::get<std::vector<Person>>(read_people(csv, "roster.csv"));
}

} // namespace

TEST_CASE("what Canvas exported comes back to it with grades: the same people, in its own form") {
  const auto people = roster_of(kGradebook);
  const PlatformTables tables(kLabs, 24);
  const auto csv = tables.canvas_header() + tables.canvas_row(student_of(people[0], 15, 20)) +
                   tables.canvas_row(student_of(people[1], 5, 10)); // the grader owes an exercise
  const auto again = roster_of(csv);
  REQUIRE(again.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(again[i].sortable == people[i].sortable);
    CHECK(again[i].platform == people[i].platform);
    CHECK(again[i].id == people[i].id);
    CHECK(again[i].login == people[i].login);
    CHECK(again[i].section == people[i].section);
  }
  const CsvTable table(csv);
  CHECK(table.cell(table.rows()[0], {"Student"}) == "Points Possible");
  CHECK(table.cell(table.rows()[0], {"Lab 5 (101)"}) == "20.00");
  CHECK(table.cell(table.rows()[1], {"Lab 5 (101)"}) == "15.00");
  CHECK(table.cell(table.rows()[2], {"Lab 5 (101)"}) == "10.00"); // half, of 20
  CHECK(table.cell(table.rows()[1], {"08_tiled_product"}) == "1.00");
}

TEST_CASE("Moodle's table has what it knows people by, each lab, a total and words") {
  auto person = roster_of("First name,Last name,ID number,Email address\n"
                          "Anna,Smith,s001,anna@uni.example\n")[0];
  auto student = student_of(person, 15, 20);
  student.late = "05_transpose 1 day late, 10% off";
  student.comments = {"=cmd|x", "well done"};
  const PlatformTables tables(kLabs, 24);
  const auto csv = tables.moodle_header() + tables.moodle_row(student);
  const auto again = roster_of(csv);
  REQUIRE(again.size() == 1);
  CHECK(again[0].id == person.id);
  CHECK(again[0].email == person.email);
  CHECK(again[0].name == person.name);
  const CsvTable table(csv);
  const auto& row = table.rows().at(0);
  CHECK(table.cell(row, {"Total"}) == "16.00");
  CHECK(table.cell(row, {"Percent"}) == "66.67");
  CHECK(table.cell(row, {"Feedback"}) == "05_transpose 1 day late, 10% off. =cmd|x well done");
  student.late.clear();
  CHECK(CsvTable(tables.moodle_header() + tables.moodle_row(student))
            .rows()[0]
            .cells.back()
            .starts_with("'="));
}

TEST_CASE("who has no ID of Canvas has no row for Canvas") {
  CHECK(PlatformTables(kLabs, 24).canvas_row(student_of({}, 1, 2)).empty());
}

TEST_CASE("who has no points at all has an empty cell, not zero") {
  auto student = student_of({}, 0, 0);
  student.platform = "7";
  const PlatformTables tables(kLabs, 24);
  CHECK(tables.canvas_row(student).find(",,1.00") != std::string::npos);
}

} // namespace course::classroom
