// Who is in the class: a roster as Canvas, Moodle and Gradescope export it, or one's own table.
//
// Columns are found by their names, in any order; others are passed over.
//
//   id        id, student id, sid, id number, sis user id       name     name, full name, student
//   e-mail    email, email address                              login    login, username, sis login
//   id section   section, sections, group, groups                  team     team
//
// or a first and a last name. Groups are tutorials until the settings say that they hand in
// together: Moodle's list of participants has that column in any case. Canvas' column "ID" and
// Moodle's "Identifier" are the numbers by which those platforms name files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace course::classroom {

struct Person {
  std::string id;       // of the school; may be empty
  std::string name;     // "Anna Smith", UTF-8
  std::string sortable; // "Smith, Anna" as Canvas has it; else empty
  std::string email, login, section, team;
  std::string platform; // the number by which Canvas or Moodle knows them
  std::size_t line = 0; // of the table, from 1; 0: it is of no table
};

// Nobody twice: an ID or an address that is there twice is an error. A sentence with the line when
// it cannot be used; `name` is what the file is called in it. `teams`: the column of who hand in
// together.
std::variant<std::vector<Person>, std::string>
read_people(std::string_view csv, const std::string& name, const std::string& teams = "Team");

} // namespace course::classroom
