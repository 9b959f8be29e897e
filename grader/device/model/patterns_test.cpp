// The rules against every pattern of book/data/h200, measured with device/gpu/patterns. Where some
// patterns of a kind differ, it is named here, with how many.
#include <doctest/doctest.h>

#include "device/model/async_copy.hpp"
#include "device/model/atomics.hpp"
#include "device/model/measured_rows.hpp"
#include "device/model/request_type.hpp"
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

// What the measuring kernel's 64-bit atomics did, over memory that was zero: lane l's operand is
// l + 1, but where the name says otherwise.
LoopValues values_of(const std::string& access) {
  const auto says = [&](const char* word) { return access.find(word) != std::string::npos; };
  const bool zero = access.ends_with("_zero"), one = access.ends_with("_constant_1");
  const auto operand = [zero, one](int lane) -> std::uint64_t {
    return zero ? 0 : one ? 1 : static_cast<std::uint64_t>(lane) + 1;
  };
  using Word = std::uint64_t;
  if (says("_min_")) return {{}, [=](int l, Word now) { return std::min(now, operand(l)); }, true};
  if (says("_max_")) return {{}, [=](int l, Word now) { return std::max(now, operand(l)); }, true};
  if (says("_and_")) return {{}, [=](int l, Word now) { return now & operand(l); }};
  if (says("_or_")) return {{}, [=](int l, Word now) { return now | operand(l); }};
  if (says("_xor_")) return {{}, [=](int l, Word now) { return now ^ operand(l); }};
  return {{}, [=](int l, Word now) { return now + operand(l); }};
}

AsyncCopy filled(AsyncCopy copy, const Row& row) {
  copy.active = static_cast<std::uint32_t>(std::stoul(row.at("active_mask"), nullptr, 16));
  for (int lane = 0; lane < kLanes; ++lane) {
    const std::string number = std::to_string(lane);
    copy.to[lane] = static_cast<std::uint32_t>(std::stoul(row.at("lane" + number)));
    copy.from[lane] = std::stoul(row.at("global" + number));
  }
  return copy;
}

bool as_measured(const Row& row) {
  const std::string& access = row.at("access");
  if (const auto named = copy_of(access)) {
    const AsyncCopy copy = filled(*named, row);
    const Passes passes = copy_passes(copy);
    return std::to_string(passes.wavefronts) == row.at("wavefronts") &&
           std::to_string(passes.ideal) == row.at("ideal") &&
           std::to_string(copy_sectors(copy)) == row.at("sectors");
  }
  const std::string known =
      access.ends_with("_zero") ? access.substr(0, access.size() - 5) : access;
  const RequestType kind = kind_of(known).value();
  const Request request = request_of(row, kind);
  if (memory_of(kind.access) == Memory::global) {
    std::array<std::uint64_t, kLanes> address{};
    for (int lane = 0; lane < kLanes; ++lane) address[lane] = request.offset[lane];
    return std::to_string(sectors(request.active, address)) == row.at("sectors");
  }
  const Passes passes = request.access == RequestKind::shared_atomic_loop
                            ? atomic_passes(request, values_of(access))
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

TEST_CASE("wide loads cost what they did") {
  CHECK(differing("patterns_wide_loads.csv", 2000) == Differing{});
}

TEST_CASE("64-bit atomics cost what they did") {
  CHECK(differing("patterns_atomics_64.csv", 960) == Differing{});
}

TEST_CASE("float atomics cost what they did") {
  CHECK(differing("patterns_atomics_float.csv", 720) == Differing{});
}

TEST_CASE("asynchronous copies cost what they did, and their sectors are the ones counted") {
  CHECK(differing("patterns_cp_async.csv", 1000) == Differing{});
  CHECK(differing("patterns_cp_async_banks.csv", 1450) == Differing{});
  CHECK(differing("patterns_cp_async_around_l1.csv", 1500) == Differing{});
}

TEST_CASE("asynchronous copies that fill up with zeros cost what they did") {
  CHECK(differing("patterns_cp_async_zero_fill.csv", 120) == Differing{});
  CHECK(differing("patterns_cp_async_counts.csv", 720) == Differing{}); // measured after the rule
}

TEST_CASE("16-byte loads of which some lanes are switched off cost what they did") {
  CHECK(differing("patterns_loads_16_masks.csv", 936) == Differing{});
  CHECK(differing("patterns_loads_16_random.csv", 600) == Differing{});
}

TEST_CASE("patterns of every kind, measured after the rules were written, cost what they did") {
  CHECK(differing("patterns_second_seed.csv", 1250) == Differing{});
  CHECK(differing("patterns_third_seed.csv", 1184) == Differing{});
}

} // namespace course::model
