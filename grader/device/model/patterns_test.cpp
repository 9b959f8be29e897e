// The rules against every pattern of book/data/h200, measured with device/gpu/patterns. Kinds
// without an exact rule are named here, with how many of their patterns differ.
#include <doctest/doctest.h>

#include "device/model/atomics.hpp"
#include "device/model/measured_rows.hpp"
#include "device/model/sectors.hpp"
#include "device/model/shared.hpp"

namespace course::model {
namespace {

struct Tally {
  int patterns = 0, differing = 0;
  bool operator==(const Tally&) const = default;
};
std::string text(const Tally& tally) {
  return std::to_string(tally.differing) + " of " + std::to_string(tally.patterns);
}
using Tallies = std::map<std::string, Tally>; // by access

// Lanes whose operand leaves zero as it is: the values are lane + 1, over memory that is zero.
std::uint32_t unchanged(const std::string& access) {
  const bool none = access.find("_and_") != std::string::npos || access.ends_with("_zero");
  return none ? kAllLanes : 0;
}

bool as_measured(const Row& row) {
  const std::string& access = row.at("access");
  const std::string known =
      access.ends_with("_zero") ? access.substr(0, access.size() - 5) : access;
  const Kind kind = kind_of(known).value();
  Request request = request_of(row, kind);
  if (memory_of(kind.access) == Memory::global) {
    std::array<std::uint64_t, kLanes> address{};
    for (int lane = 0; lane < kLanes; ++lane) address[lane] = request.offset[lane];
    return std::to_string(sectors(request.active, address)) == row.at("sectors");
  }
  // Zero is the smallest: a loop that finds nothing to change is a load alone.
  if (access.find("_min_u64") != std::string::npos) request.access = Access::shared_load;
  const Passes passes = request.access == Access::shared_atomic_loop
                            ? atomic_passes(request, unchanged(access))
                            : shared_passes(request);
  return std::to_string(passes.wavefronts) == row.at("wavefronts") &&
         std::to_string(passes.ideal) == row.at("ideal");
}

// Of each access, where some patterns differ.
std::map<std::string, std::string> differing(const std::string& file, int patterns) {
  Tallies tallies;
  const auto rows = rows_of("book/data/h200/" + file);
  CHECK(rows.size() == static_cast<std::size_t>(patterns));
  for (const Row& row : rows) {
    Tally& tally = tallies[row.at("access")];
    ++tally.patterns;
    tally.differing += !as_measured(row);
  }
  std::map<std::string, std::string> result;
  for (const auto& [access, tally] : tallies)
    if (tally.differing) result[access] = text(tally);
  return result;
}

using Differing = std::map<std::string, std::string>;

} // namespace

TEST_CASE("random patterns of every plain access, and of 32-bit atomics, cost what they did") {
  CHECK(differing("patterns_random.csv", 1052) == Differing{});
}

TEST_CASE("matrix loads and stores cost what they did") {
  CHECK(differing("patterns_matrix.csv", 240) == Differing{});
}

TEST_CASE("wide loads cost what they did, but for some of 16 bytes with inactive lanes") {
  CHECK(differing("patterns_wide_loads.csv", 2000) == Differing{{"shared_load_16", "39 of 1000"}});
  for (const Row& row : rows_of("book/data/h200/patterns_wide_loads.csv"))
    if (row.at("active_mask") == "0xffffffff") CHECK(as_measured(row));
}

TEST_CASE("64-bit atomics cost what they did, where their rounds do not depend on the values") {
  CHECK(differing("patterns_atomics_64.csv", 960) == Differing{{"atom_shared_max_s64", "3 of 60"},
                                                               {"red_shared_max_s64", "4 of 60"},
                                                               {"atom_shared_or_b64", "8 of 60"},
                                                               {"red_shared_or_b64", "4 of 60"}});
}

TEST_CASE("float atomics cost what they did") {
  CHECK(differing("patterns_atomics_float.csv", 720) == Differing{});
}

TEST_CASE("cp.async has no rule, so it costs nothing here rather than something wrong") {
  const auto rows = rows_of("book/data/h200/patterns_cp_async.csv");
  CHECK(rows.size() == 1000);
  for (const Row& row : rows) {
    const Kind kind = kind_of(row.at("access")).value();
    CHECK_FALSE(has_rule(kind.access, kind.width));
    CHECK(shared_passes(request_of(row)) == Passes{});
  }
}

} // namespace course::model
