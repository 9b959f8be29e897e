#include "classroom/people.hpp"

#include <doctest/doctest.h>

namespace course::classroom {
namespace {

std::vector<Person> people(const std::string& csv) {
  auto read = read_people(csv, "roster.csv");
  if (const auto* what = std::get_if<std::string>(&read)) FAIL(*what);
  return std::get<std::vector<Person>>(read);
}

std::string wrong(const std::string& csv) {
  const auto read = read_people(csv, "roster.csv");
  const auto* what = std::get_if<std::string>(&read);
  return what ? *what : "";
}

} // namespace

TEST_CASE("a gradebook of Canvas is a roster, without its rows that are no student") {
  const auto all = people("Student,ID,SIS User ID,SIS Login ID,Section,Lab 5 (101)\n"
                          ",,,,,Manual Posting\n"
                          "    Points Possible,,,,,10.00\n"
                          "\"Smith, Anna\",12345,s001,annas,CS 420-01,9\n"
                          "\"Müller, Jörg\",12346,s002,joerg,CS 420-02,\n"
                          "\"Student, Test\",99,,bbbc6740f0b946af,CS 420-01,\n");
  REQUIRE(all.size() == 2);
  CHECK(all[0].name == "Anna Smith");
  CHECK(all[0].sortable == "Smith, Anna");
  CHECK(all[0].id == "s001");
  CHECK(all[0].platform == "12345");
  CHECK(all[0].login == "annas");
  CHECK(all[1].section == "CS 420-02");
}

TEST_CASE("a list of participants and a grading worksheet of Moodle are rosters") {
  const auto all = people("\xef\xbb\xbf\"First name\",\"Last name\",\"ID number\","
                          "\"Email address\",Groups\nAnna,Smith,s001,anna@uni.example,Team 1\n");
  REQUIRE(all.size() == 1);
  CHECK(all[0].name == "Anna Smith");
  CHECK(all[0].email == "anna@uni.example");
  CHECK(all[0].team.empty()); // most groups are tutorials
  CHECK(all[0].section == "Team 1");
  const auto sheet =
      people("Identifier,\"Full name\",\"Email address\",Status\n"
             "Participant 17,Anna Smith,anna@uni.example,\"Submitted for grading\"\n");
  CHECK(sheet[0].platform == "17");
  CHECK(sheet[0].name == "Anna Smith");
}

TEST_CASE("groups are teams where the settings say so, and the roster has them") {
  const std::string csv = "name,Groups\nAnna,Team 1\n";
  const auto all = std::get<std::vector<Person>>(read_people(csv, "r.csv", "Groups"));
  CHECK(all[0].team == "Team 1");
  CHECK(std::get<std::string>(read_people(csv, "r.csv", "Grupos")) ==
        "r.csv:1: there is no column 'Grupos', which class.toml says has the teams");
}

TEST_CASE("one's own table needs no more than a name") {
  const auto all = people("id;name;email;section;team\n7;Löve;;;\n8;李雷;li@x.example;A;red\n");
  REQUIRE(all.size() == 2);
  CHECK(all[0].id == "7");
  CHECK(all[0].name == "Löve");
  CHECK(all[1].team == "red");
  CHECK(people("name\nAnna\n")[0].name == "Anna");
}

TEST_CASE("who is there twice, or is nobody, is an error with its line") {
  CHECK(wrong("id,name\n7,Anna\n7,Bert\n") ==
        "roster.csv:3: 'ID 7' is there twice, in line 2 as well");
  CHECK(wrong("name,email\nAnna,A@x.example\nBert,a@X.example\n").starts_with("roster.csv:3: "));
  CHECK(wrong("id,name,section\n,,A\n").starts_with("roster.csv:2: "));
  CHECK(wrong("points,grade\n1,2\n").starts_with("roster.csv:1: "));
  CHECK(wrong("").starts_with("roster.csv:1: "));
  CHECK(wrong("id,name\n") == "roster.csv: there is no student in it");
  CHECK(wrong("name\nAnna\nAnna\n").empty()); // a name is no ID
}

} // namespace course::classroom
