#include "trust/ways_table.hpp"

#include "lab/labs.hpp"

#include <doctest/doctest.h>

#include <map>

namespace course::trust {
namespace {

Case control(const std::string& exercise, const std::string& idea) {
  Case one;
  one.declared.kind = Declaration::Kind::control;
  one.declared.exercise = exercise;
  one.declared.idea = idea;
  return one;
}

} // namespace

TEST_CASE("honest ways are told by exercise, and one that does not pass with its verdict") {
  auto attack = control("a/1", "cheats");
  attack.declared.kind = Declaration::Kind::attack;
  const std::vector<Case> cases{control("b/2", "walks"), control("a/1", "swims"),
                                control("b/2", "flies"), attack};
  const auto of = [](std::size_t index) {
    Result result;
    result.index = index;
    return result;
  };
  auto fails = of(2);
  fails.complaints = {"it did not pass"};
  fails.verdict = "failed traffic";
  CHECK(table_of_ways(cases, {fails, of(1), of(0), of(3)}) ==
        "| exercise | passed | honest ways |\n"
        "| --- | ---: | --- |\n"
        "| a/1 | 1 of 1 | swims |\n"
        "| b/2 | 1 of 2 | flies (**failed traffic**); walks |\n"
        "\n2 of 3 honest ways pass, over 2 exercises.\n");
}

TEST_CASE("every exercise has two honest ways or more among the controls, and all are to pass") {
  std::map<std::string, int> ways;
  for (const auto& one : suite(COURSE_SOURCE_DIR)) {
    if (one.declared.kind != Declaration::Kind::control) continue;
    INFO(one.name);
    CHECK(one.declared.complaints.empty());
    REQUIRE(one.declared.wanted.size() == 1);
    CHECK(one.declared.wanted[0].ending == "passed");
    ++ways[one.declared.exercise];
  }
  for (const auto& exercise : lab::exercises(COURSE_SOURCE_DIR)) {
    INFO(exercise.id);
    const bool answers_alone = exercise.id == "06_constant_memory/4_explain"; // one way to be right
    CHECK(ways[exercise.id] >= (answers_alone ? 0 : 2));
  }
  CHECK(ways.size() == lab::exercises(COURSE_SOURCE_DIR).size());
}

} // namespace course::trust
