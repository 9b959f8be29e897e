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

TEST_CASE("64-bit atomics cost what their values make of them") {
  // All lanes want another word. Zero is the smallest: a load of each half of the warp is all.
  CHECK(score(pattern("atom_shared_min_u64", 8, 2, 2, 0)).equal == 1);
  CHECK(score(pattern("atom_shared_max_u64", 8, 2, 2, 0)).equal == 0);
  CHECK(score(pattern("atom_shared_max_u64_zero", 8, 2, 2, 0)).equal == 1);
}

TEST_CASE("asynchronous copies need both sides") {
  auto table = pattern("cp_async_ca_4", 4, 1, 1, 4);
  CHECK(score(table).without_rule == 1);
  for (int lane = 0; lane < 32; ++lane)
    table.rows[0]["global" + std::to_string(lane)] = std::to_string(4 * lane);
  CHECK(score(table).equal == 1);
  table.rows[0]["sectors"] = "5";
  CHECK(score(table).equal == 0);
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
