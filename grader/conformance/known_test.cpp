#include "conformance/known.hpp"

#include <doctest/doctest.h>

#include <sstream>

namespace course::conformance {
namespace {

const std::string kDifference = "line 3, shared load: 4 wavefronts, measured 5";

Outcome outcome(std::vector<std::string> differences) {
  Outcome made;
  made.kind = differences.empty() ? Outcome::Kind::equal : Outcome::Kind::unequal;
  made.measured.file = "solutions/1.cu";
  made.measured.shape = "4 x 4";
  made.differences = std::move(differences);
  return made;
}

const std::vector<Known> kList = {{"solutions/1.cu", "4 x 4", kDifference, "a reason"}};

std::variant<std::vector<Known>, std::string> listed(const std::string& text) {
  std::istringstream stream(text);
  return known_in(std::get<Table>(read_table(stream)));
}

} // namespace

TEST_CASE("what differs as listed is known") {
  const auto same = compared(outcome({kDifference}), kList);
  CHECK(same.as_known);
  CHECK(same.faults.empty());
}

TEST_CASE("what is worse than listed is a fault") {
  const std::string worse = "line 3, shared load: 3 wavefronts, measured 5";
  const auto other = compared(outcome({worse}), kList);
  CHECK_FALSE(other.as_known);
  CHECK(other.faults ==
        std::vector<std::string>{worse, "listed as known, and not so any more: " + kDifference});
  CHECK(compared(outcome({kDifference, worse}), kList).faults == std::vector<std::string>{worse});
}

TEST_CASE("what is better than listed is a fault as well, until it is taken off the list") {
  const auto better = compared(outcome({}), kList);
  CHECK_FALSE(better.as_known);
  CHECK(better.faults.size() == 1);
}

TEST_CASE("the list is of one file and one shape") {
  auto other = outcome({kDifference});
  other.measured.shape = "8 x 8";
  CHECK(compared(other, kList).faults == std::vector<std::string>{kDifference});
  other = outcome({});
  other.measured.file = "solutions/2.cu";
  CHECK(compared(other, kList).faults.empty());
  CHECK_FALSE(compared(other, kList).as_known);
}

TEST_CASE("what was not compared is neither known nor a fault") {
  auto changed = outcome({});
  changed.kind = Outcome::Kind::changed;
  CHECK_FALSE(compared(changed, kList).as_known);
  CHECK(compared(changed, kList).faults.empty());
}

TEST_CASE("a list needs a file, a difference and a reason in each row") {
  const std::string columns = "file,shape,difference,why\n";
  const auto good = listed(columns + "a.cu,4,\"line 1: 2, measured 3\",so\n");
  REQUIRE(std::holds_alternative<std::vector<Known>>(good));
  CHECK(std::get<std::vector<Known>>(good).at(0).difference == "line 1: 2, measured 3");
  CHECK(std::get<std::string>(listed(columns + "a.cu,4,line 1,\n")) ==
        "row 1: the column why says nothing");
  CHECK(std::get<std::string>(listed("file,shape,why\na.cu,4,so\n")) ==
        "row 1: there is no column difference");
}

} // namespace course::conformance
