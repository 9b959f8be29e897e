#include "classroom/anonymous.hpp"

#include "classroom/hand_made_folder.hpp"

#include <doctest/doctest.h>

#include <set>

namespace course::classroom {

TEST_CASE("who comes later changes nobody's number, and a roster does not either") {
  const hand_made::Folder folder;
  std::vector<Member> members;
  for (const char* name : {"anna", "bert", "clara", "dora"})
    members.push_back(hand_made::member(name));
  const auto first = numbers_of(folder.path, members, 7);
  CHECK(std::set<std::string>(first.begin(), first.end()) ==
        std::set<std::string>{"student-0001", "student-0002", "student-0003", "student-0004"});
  members.insert(members.begin(), hand_made::member("aaron"));
  auto later = numbers_of(folder.path, members, 7);
  CHECK(later.front() == "student-0005");
  CHECK(std::vector<std::string>(later.begin() + 1, later.end()) == first);
  members[1].id = "s001"; // as a roster has her
  members[1].person.name = "Anna Smith";
  CHECK(numbers_of(folder.path, members, 7) == later);
  members.erase(members.begin() + 2); // bert is gone, and his number is not given again
  members.push_back(hand_made::member("emil"));
  CHECK(numbers_of(folder.path, members, 7).back() == "student-0006");
}

TEST_CASE("nothing of a name is left") {
  auto anna = hand_made::member("anna");
  anna.notes = {"Handed in by bert"};
  anna.problems["05_transpose"] = "two, anna and anna_2";
  const auto hidden = made_anonymous({anna}, {"student-0001"}).front();
  CHECK(hidden.id == "student-0001");
  CHECK(hidden.person.name == "student-0001");
  CHECK(hidden.notes.empty());
  CHECK(hidden.problems.at("05_transpose").find("anna") == std::string::npos);
}

} // namespace course::classroom
