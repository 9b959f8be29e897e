#include "classroom/people.hpp"

#include "classroom/csv_table.hpp"
#include "classroom/text_encoding.hpp"

#include <fmt/format.h>

#include <map>

namespace course::classroom {
namespace {

std::string digits_at_end(const std::string& text) { // of "Participant 17", in any language
  const auto last = text.find_last_not_of("0123456789");
  return last == text.npos ? text : text.substr(last + 1);
}

std::string name_of_sortable(const std::string& sortable) { // "Smith, Anna" -> "Anna Smith"
  const auto comma = sortable.find(", ");
  if (comma == sortable.npos) return sortable;
  return sortable.substr(comma + 2) + " " + sortable.substr(0, comma);
}

// Rows of Canvas' table that are no student.
bool is_of_canvas_itself(const CsvTable& table, const CsvRow& row) {
  if (!table.has("SIS Login ID") && !table.has("SIS User ID")) return false;
  const auto student = table.cell(row, {"Student"});
  return student.empty() || student == "Points Possible" || student == "Student, Test";
}

Person person_of(const CsvTable& table, const CsvRow& row, const std::string& teams) {
  Person person;
  const bool canvas = table.has("Student") && table.has("ID");
  person.id = table.cell(row, {"Student ID", "SID", "ID number", "SIS User ID"});
  if (canvas) {
    person.platform = table.cell(row, {"ID"});
  } else if (person.id.empty()) {
    person.id = table.cell(row, {"ID"});
  }
  if (table.has("Identifier")) person.platform = digits_at_end(table.cell(row, {"Identifier"}));
  person.name = table.cell(row, {"Name", "Full name", "Student"});
  if (person.name.find(", ") != person.name.npos) {
    person.sortable = person.name;
    person.name = name_of_sortable(person.name);
  }
  const auto first = table.cell(row, {"First name", "Given name"});
  const auto last = table.cell(row, {"Last name", "Surname", "Family name"});
  if (person.name.empty()) person.name = first + (first.empty() || last.empty() ? "" : " ") + last;
  if (person.sortable.empty() && !last.empty()) person.sortable = last + ", " + first;
  person.email = table.cell(row, {"Email", "Email address", "Mail"});
  person.login = table.cell(row, {"Login", "Username", "SIS Login ID", "User"});
  person.team = table.cell(row, {teams});
  person.section = table.cell(row, {"Section", "Sections", "Group", "Groups"});
  return person;
}

} // namespace

std::variant<std::vector<Person>, std::string>
read_people(std::string_view csv, const std::string& name, const std::string& teams) {
  const CsvTable table(csv);
  bool known = false;
  for (const char* column : {"Name", "Full name", "Student", "First name", "Email", "Email address",
                             "ID", "Student ID", "ID number", "SID", "Login"})
    known = known || table.has(column);
  if (!known)
    return fmt::format("{}:1: no column says who a student is. The first row has to name the "
                       "columns: id, name, email, …",
                       name);
  if (teams != "Team" && !table.has(teams))
    return fmt::format("{}:1: there is no column '{}', which class.toml says has the teams", name,
                       teams);
  std::vector<Person> people;
  std::map<std::string, std::size_t> lines; // of what may be there once
  for (const auto& row : table.rows()) {
    if (is_of_canvas_itself(table, row)) continue;
    auto person = person_of(table, row, teams);
    person.line = row.line;
    if (person.id.empty() && person.email.empty() && person.login.empty() && person.name.empty())
      return fmt::format("{}:{}: this row says of nobody who they are", name, row.line);
    for (const auto& [what, value] :
         {std::pair("ID ", person.id), std::pair("e-mail ", person.email),
          std::pair("login ", person.login), std::pair("number ", person.platform)}) {
      if (folded(value).empty()) continue;
      const auto [at, fresh] = lines.try_emplace(what + folded(value), row.line);
      if (!fresh)
        return fmt::format("{}:{}: '{}{}' is there twice, in line {} as well", name, row.line, what,
                           value, at->second);
    }
    people.push_back(std::move(person));
  }
  if (people.empty()) return fmt::format("{}: there is no student in it", name);
  return people;
}

} // namespace course::classroom
