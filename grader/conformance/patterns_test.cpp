#include "conformance/patterns.hpp"

#include <doctest/doctest.h>

#include <sstream>

namespace course::conformance {
namespace {

// One pattern: 32 lanes `stride` bytes apart.
Table pattern(const std::string& access, int stride, int wavefronts, int ideal, int sectors) {
  std::string names = "access,active_mask", row = access + ",0xffffffff";
  for (int lane = 0; lane < 32; ++lane) {
    names += ",lane" + std::to_string(lane);
    row += "," + std::to_string(lane * stride);
  }
  names += ",wavefronts,ideal,sectors\n";
  row += "," + std::to_string(wavefronts) + "," + std::to_string(ideal) + "," +
         std::to_string(sectors) + "\n";
  std::istringstream stream(names + row);
  return std::get<Table>(read_table(stream));
}

PatternScore score(const Table& table) {
  const auto scores = score_patterns(table);
  REQUIRE(std::holds_alternative<std::vector<PatternScore>>(scores));
  return std::get<std::vector<PatternScore>>(scores).at(0);
}

} // namespace

TEST_CASE("a pattern that costs what the rule says is equal") {
  CHECK(score(pattern("shared_load_4", 128, 32, 1, 0)).equal == 1);
  CHECK(score(pattern("shared_store_4", 4, 1, 1, 0)).equal == 1);
  CHECK(score(pattern("global_load_4", 4, 0, 0, 4)).equal == 1);
  CHECK(score(pattern("global_store_4", 32, 0, 0, 32)).equal == 1);
}

TEST_CASE("one that was measured otherwise is not, and is shown") {
  const auto wrong = score(pattern("shared_load_4", 128, 31, 1, 0));
  CHECK(wrong.equal == 0);
  CHECK(wrong.first_unequal.find("32 wavefronts, 1 ideal, 0 sectors; measured 31, 1, 0") !=
        std::string::npos);
  CHECK(score(pattern("global_load_4", 4, 0, 0, 5)).equal == 0);
}

TEST_CASE("one without a rule is counted apart") {
  const auto none = score(pattern("atom_shared_no_such_op", 4, 1, 1, 0));
  CHECK(none.equal == 0);
  CHECK(none.without_rule == 1);
}

TEST_CASE("a row that cannot be read is an error") {
  auto table = pattern("shared_load_4", 4, 1, 1, 0);
  table.rows[0]["lane7"] = "x";
  CHECK(std::get<std::string>(score_patterns(table)) == "pattern 1 cannot be read");
  table.rows[0].erase("lane7");
  CHECK(std::holds_alternative<std::string>(score_patterns(table)));
}

} // namespace course::conformance
