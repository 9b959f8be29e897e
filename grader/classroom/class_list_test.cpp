#include "classroom/class_list.hpp"

#include "classroom/hand_made_folder.hpp"

#include <doctest/doctest.h>

namespace course::classroom {
namespace {

Entry entry(const std::string& name, const std::string& number = "") {
  Entry one;
  one.own = one.id = one.name = name;
  one.number = number;
  return one;
}

Person person(const std::string& id, const std::string& name, const std::string& team = "") {
  Person one;
  one.id = id;
  one.name = name;
  one.email = id + "@uni.example";
  one.team = team;
  return one;
}

// The record of what is called so, in the folder of a lab.
std::string record(const std::string& name, const std::string& lab = "") {
  auto one = entry(name);
  one.lab = lab;
  return one.record();
}

const Member& of(const std::vector<Member>& members, const std::string& who) {
  const auto meant = those_meant(members, who);
  if (meant.empty()) FAIL("nobody is " << who);
  return members[meant.front()];
}

} // namespace

TEST_CASE("without a roster, who handed in is the class") {
  const auto members = class_list({{entry("anna"), entry("bert")}, {}, {}});
  REQUIRE(members.size() == 2);
  CHECK(members[0].id == "anna");
  CHECK(members[0].submission("") == record("anna"));
  CHECK(members[0].notes.empty());
}

TEST_CASE("with a roster, who handed in nothing has a row, and a stranger is named") {
  auto canvas = person("s3", "Clara Jones");
  canvas.platform = "12347";
  canvas.sortable = "Jones, Clara";
  const auto members = class_list(
      {{entry("s1"), entry("MULLER Jorg"), entry("jonesclara", "12347"), entry("zoe"), entry("e5")},
       {person("s1", "Anna Smith"), person("s2", "Jörg Müller"), canvas, person("s4", "Dora"),
        person("e5", "Emil")},
       {}});
  REQUIRE(members.size() == 6);
  CHECK(of(members, "s1").submission("") == record("s1"));
  CHECK(of(members, "s3").submission("") == record("jonesclara"));
  CHECK(of(members, "Dora").submission("").empty());
  CHECK(of(members, "e5@uni.example").submission("") == record("e5"));
  CHECK(of(members, "zoe").notes == std::vector<std::string>{"Not on the roster."});
  CHECK(of(members, "s2").submission("") ==
        record("MULLER Jorg")); // the family's name first, no accents
}

TEST_CASE("a name that two people have is nobody's") {
  const auto members =
      class_list({{entry("Anna")}, {person("s1", "Anna"), person("s2", "Anna")}, {}});
  REQUIRE(members.size() == 3);
  CHECK(members[0].submission("").empty());
  CHECK(members[1].submission("").empty());
  CHECK(members[0].id != members[1].id);
}

TEST_CASE("a team hands in once, and twice is for a person to decide") {
  const std::vector<Person> people{person("s1", "Anna", "red"), person("s2", "Bert", "red"),
                                   person("s3", "Clara", "blue")};
  const auto once = class_list({{entry("s1"), entry("s3")}, people, {}});
  CHECK(of(once, "s1").notes.empty());
  CHECK(of(once, "s2").submission("") == record("s1"));
  CHECK(of(once, "s2").notes == std::vector<std::string>{"Handed in by Anna, of the same team."});
  const auto twice = class_list({{entry("s1"), entry("s2")}, people, {}});
  CHECK(of(twice, "s1").problem("").find("s1 and s2") != std::string::npos);
  CHECK(of(twice, "s2").problem("").find("which one counts?") != std::string::npos);
  CHECK(of(twice, "s2").submission("").empty());
}

namespace {

Entry entry_in(const std::string& lab, const std::string& name, const std::string& number = "") {
  auto one = entry(name, number);
  one.lab = lab;
  return one;
}

} // namespace

TEST_CASE("the folders of several labs are one student's, with a roster and without") {
  const std::vector<Entry> entries{entry_in("05_transpose", "smithanna", "77"),
                                   entry_in("05_transpose", "bert", "78"),
                                   entry_in("08_tiled_product", "smithanna", "77")};
  auto anna = person("s1", "Anna Smith");
  anna.platform = "77";
  for (const auto& roster : {std::vector<Person>{}, {anna, person("s2", "bert")}}) {
    const auto members = class_list({entries, roster, {}});
    REQUIRE(members.size() == 2);
    const auto& one = of(members, "05_transpose/smithanna");
    CHECK(one.submission("05_transpose") == record("smithanna", "05_transpose"));
    CHECK(one.submission("08_tiled_product") == record("smithanna", "08_tiled_product"));
    CHECK(of(members, "bert").submission("08_tiled_product").empty());
    CHECK(one.id == (roster.empty() ? "smithanna" : "s1"));
  }
}

TEST_CASE("another member of a team may hand in each lab") {
  const std::vector<Person> people{person("s1", "Anna", "red"), person("s2", "Bert", "red")};
  const auto members = class_list(
      {{entry_in("05_transpose", "s1"), entry_in("08_tiled_product", "s2")}, people, {}});
  for (const char* who : {"s1", "s2"}) {
    CHECK(of(members, who).problems.empty());
    CHECK(of(members, who).submission("05_transpose") == record("s1", "05_transpose"));
    CHECK(of(members, who).submission("08_tiled_product") == record("s2", "08_tiled_product"));
  }
}

TEST_CASE("two of one name in a folder stay two") {
  Entry one = entry_in("05_transpose", "anna", "1"), other = entry_in("05_transpose", "anna", "2");
  one.own = one.id = "anna_1";
  other.own = other.id = "anna_2";
  const auto members = class_list({{one, other}, {}, {}});
  REQUIRE(members.size() == 2);
  CHECK(members[0].notes ==
        std::vector<std::string>{"anna_2 has a name like this one's: the IDs tell them apart."});
}

TEST_CASE("one of each lab is one student, unless Canvas numbers say that they are two") {
  const auto canvas = [](const std::string& lab, const std::string& number) {
    auto one = entry_in(lab, "smith", number);
    one.own = one.id = "smith_" + number;
    one.lasting = true;
    return one;
  };
  CHECK(
      class_list({{canvas("05_transpose", "1"), canvas("08_tiled_product", "1")}, {}, {}}).size() ==
      1);
  CHECK(
      class_list({{canvas("05_transpose", "1"), canvas("08_tiled_product", "2")}, {}, {}}).size() ==
      2);
  // As is the one who has a namesake elsewhere.
  const auto members = class_list(
      {{canvas("05_transpose", "1"), canvas("05_transpose", "2"), canvas("08_tiled_product", "1")},
       {},
       {}});
  REQUIRE(members.size() == 2);
  CHECK(of(members, "smith_1").submissions.size() == 2);
}

TEST_CASE("IDs that would meet are each their owner's, whoever comes first") {
  const auto ids = [](const std::vector<Entry>& entries, const std::vector<Person>& people) {
    std::map<std::string, std::string> all;
    for (const auto& member : class_list({entries, people, {}}))
      all[member.person.name] = member.id;
    return all;
  };
  const auto one = ids({entry("Anna"), entry("anna"), entry("bert")}, {});
  CHECK(one.at("bert") == "bert");
  CHECK(one.at("Anna").starts_with("Anna-"));
  CHECK(one.at("anna").starts_with("anna-"));
  CHECK(one.at("anna").substr(5) != one.at("Anna").substr(5));
  CHECK(ids({entry("anna"), entry("bert"), entry("Anna")}, {}) == one);
  // The login of one is the ID of another.
  Person first = person("", "Clara"), second = person("4711", "Dora");
  first.login = "4711";
  first.email.clear();
  auto people = ids({}, {first, second});
  CHECK(people.at("Clara") != people.at("Dora"));
  CHECK(ids({}, {second, first}) == people);
}

TEST_CASE("what two of a roster could have handed in is nobody's, and both are named") {
  Person login = person("s1", "Clara"), id = person("4711", "Dora");
  login.login = "4711";
  const auto members = class_list({{entry("4711")}, {login, id}, {}});
  REQUIRE(members.size() == 3);
  CHECK(members[0].submission("").empty());
  CHECK(members[1].submission("").empty());
  CHECK(members[2].notes.front() == "It could be of Clara, s1, s1@uni.example or of Dora, 4711, "
                                    "4711@uni.example, and counts for neither.");
}

TEST_CASE("a time of one lab's download is not for a folder of the same name in another's") {
  const auto anna = person("s1", "Anna Smith"), bert = person("s2", "Bert");
  const std::map<std::string, std::vector<PlatformTime>> times{
      {"05_transpose", {{anna, "submission_1", 100, "Gradescope"}}},
      {"08_tiled_product", {{bert, "submission_1", 200, "Gradescope"}}}};
  const auto members = class_list(
      {{entry_in("05_transpose", "submission_1"), entry_in("08_tiled_product", "submission_1")},
       {anna, bert},
       times});
  REQUIRE(members.size() == 2);
  CHECK(members[0].submission("05_transpose") == record("submission_1", "05_transpose"));
  CHECK(members[0].submission("08_tiled_product").empty());
  CHECK(members[0].times.at("05_transpose").at == 100);
  CHECK(members[0].times.size() == 1);
  CHECK(members[1].times.at("08_tiled_product").at == 200);
}

TEST_CASE("Gradescope's folders are their submitters', with or without a roster") {
  const auto anna = person("s1", "Anna Smith"), bert = person("s2", "Bert");
  const std::map<std::string, std::vector<PlatformTime>> times{
      {"",
       {{anna, "submission_4711", 100, "Gradescope"},
        {bert, "submission_4711", 100, "Gradescope"}}}};
  for (const auto& roster : {std::vector<Person>{}, {anna, bert}}) {
    const auto members = class_list({{entry("submission_4711")}, roster, times});
    REQUIRE(members.size() == 2);
    CHECK(members[1].submission("") == record("submission_4711"));
    CHECK(members[1].person.name == "Bert");
    CHECK(members[1].times.at("").at == 100);
  }
}

TEST_CASE("a platform's times are for whom it names, and for their team") {
  Person moodle;
  moodle.platform = "17";
  auto anna = person("s1", "Anna", "red");
  anna.platform = "17";
  const auto members = class_list({{entry("Anna", "17")},
                                   {anna, person("s2", "Bert", "red"), person("s3", "Clara")},
                                   {{"05_transpose", {{moodle, "", 7, "Moodle"}}}}});
  CHECK(of(members, "s1").times.at("05_transpose").at == 7);
  CHECK(of(members, "s2").times.at("05_transpose").clock == "Moodle");
  CHECK(of(members, "s3").times.empty());
}

TEST_CASE("the list outlives the process that made it") {
  const hand_made::Folder folder;
  Person late = person("s1", "Löve");
  auto members = class_list({{entry("s1")}, {late}, {{"", {{late, "", 7, "Canvas"}}}}});
  members[0].notes = {"a note"};
  write_members(folder.path, members);
  const auto read = read_members(folder.path);
  REQUIRE(read.size() == 1);
  CHECK(read[0].person.name == "Löve");
  CHECK(read[0].submission("") == record("s1"));
  CHECK(read[0].notes == members[0].notes);
  CHECK(read[0].times.at("").at == 7);
  folder.write("students.json", "[{}]");
  CHECK(read_members(folder.path).empty());
}

} // namespace course::classroom
