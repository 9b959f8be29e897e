#include "judge/uses.hpp"
#include "judge/way.hpp"

#include "judge/hand_made.hpp"

#include "report/words/check_words.hpp"

#include <doctest/doctest.h>

namespace course::judge {
namespace {

namespace way = device::way;

const WayBound kThroughTile{way::stored | way::copied, {way::stored | way::copied}, 0};

Check passed() {
  Check check;
  check.name = "traffic";
  check.status = Status::passed;
  return check;
}

// The check of an execution whose elements came so.
Check after(const WayBound& asked, const std::vector<device::Way>& ways) {
  auto execution = hand_made::transpose(64, 96);
  execution.bounds.way = asked;
  execution.way = way_taken(asked, ways, 1);
  return with_way(passed(), std::span(&execution, 1));
}

} // namespace

TEST_CASE("values that all came through the tile pass, stored or copied") {
  CHECK(after(kThroughTile, {way::stored, way::copied}).status == Status::passed);
}

TEST_CASE("one value by another way fails, and is named with its way") {
  const auto check = after(kThroughTile, {way::stored, way::stored | way::voted, way::stored});
  CHECK(check.status == Status::failed);
  CHECK(report::words(check).observed() ==
        "1 element came by votes, matches or reductions of lanes");
  CHECK(report::words(check).message.find("out[1] came by votes") != std::string::npos);
  CHECK(check.shape == "64 x 96");
}

TEST_CASE("values that were not handed over at all are missed, and so are those of no input") {
  CHECK(report::words(after(kThroughTile, {way::direct})).message.find("straight from") !=
        std::string::npos);
  CHECK(report::words(after(kThroughTile, {0})).message.find("did not come through shared") !=
        std::string::npos);
}

TEST_CASE("each of several ways has to be gone, and so many elements may stay") {
  const WayBound sum{way::direct | way::shuffled | way::stored, {way::shuffled, way::stored}, 1};
  CHECK(after(sum, {way::shuffled | way::stored, way::direct}).status == Status::passed);
  CHECK(after(sum, {way::shuffled, way::stored}).status == Status::failed);
}

TEST_CASE("an element has gone the ways of all its bytes") {
  const std::vector<device::Way> ways{way::stored, way::stored, way::voted, way::stored};
  CHECK(way_taken(kThroughTile, ways, 2).astray == 1);
  CHECK(way_taken(kThroughTile, ways, 2).first == 1);
  CHECK(way_taken(kThroughTile, ways, 4).astray == 1);
}

TEST_CASE("what should have been followed and was not is no pass") {
  const auto check = after(kThroughTile, {});
  CHECK(check.status == Status::not_measured);
  CHECK(report::words(check).observed() == "the way of the data was not followed");
}

TEST_CASE("what failed already keeps its own words, and what was not followed is let be") {
  auto check = passed();
  check.status = Status::failed;
  check.facts = facts::SharedTraffic{};
  check.measures = {{"shared_loads", 0}, {"shared_stores", 0}};
  auto execution = hand_made::transpose(64, 96);
  CHECK(with_way(passed(), std::span(&execution, 1)).status == Status::passed);
  execution.bounds.way = kThroughTile;
  execution.way = WayTaken{1, 1, 0, way::voted};
  CHECK(std::holds_alternative<facts::SharedTraffic>(
      with_way(check, std::span(&execution, 1)).facts));
}

namespace {

// By wgmma, and a barrier in memory for each of eight chunks.
UsesBound by_wgmma() {
  UsesBound asked;
  asked.way.may = static_cast<device::Way>(~way::local);
  asked.way.through = {way::warpgroup};
  asked.counts[device::Used::phase_arrivals] = {8, Measure::kNoLimit};
  return asked;
}

Check made_of(const std::vector<device::Way>& ways, std::uint64_t arrivals) {
  auto execution = hand_made::transpose(64, 96);
  device::UsedCounts counts{};
  counts[static_cast<std::size_t>(device::Used::phase_arrivals)] = arrivals;
  execution.bounds.uses = by_wgmma();
  execution.uses = uses_taken(*execution.bounds.uses, ways, 1, counts);
  return check_uses("uses", std::span(&execution, 1));
}

constexpr device::Way kByWgmma = way::multiplied | way::warpgroup;

} // namespace

TEST_CASE("a count that no shape bounds is not among what was asked for") {
  auto execution = hand_made::transpose(64, 96);
  execution.bounds.uses = by_wgmma();
  execution.bounds.uses->counts[device::Used::phase_arrivals] = {0, Measure::kNoLimit};
  execution.uses = uses_taken(*execution.bounds.uses, std::vector{kByWgmma}, 1, {});
  auto large = execution;
  const auto observed = [&] {
    const std::vector<Execution> both{execution, large};
    return report::words(check_uses("uses", both)).observed();
  };
  CHECK(observed() == "products of a warpgroup (wgmma), no local memory");
  large.bounds.uses->counts[device::Used::phase_arrivals] = {0, 5};
  CHECK(observed() == "products of a warpgroup (wgmma), no local memory, no barriers in memory");
  large.bounds.uses->counts[device::Used::phase_arrivals] = {1, 5};
  large.uses->counts[static_cast<std::size_t>(device::Used::phase_arrivals)] = 3;
  CHECK(observed() == "products of a warpgroup (wgmma), barriers in memory, no local memory");
}

TEST_CASE("an answer that is made of what is asked for passes, and what that is is said") {
  const auto check = made_of({kByWgmma, kByWgmma}, 8);
  CHECK(check.status == Status::passed);
  CHECK(report::words(check).observed() ==
        "products of a warpgroup (wgmma), barriers in memory, no local memory");
}

TEST_CASE("what came by another instruction fails, by the name of the one that is missing") {
  const auto check = made_of({kByWgmma, way::multiplied}, 8);
  CHECK(check.status == Status::failed);
  CHECK(report::words(check).observed() ==
        "1 element did not come by products of a warpgroup (wgmma)");
}

TEST_CASE("what no value may have come by fails") {
  CHECK(report::words(made_of({kByWgmma, kByWgmma | way::local}, 8)).observed() ==
        "1 element came through local memory");
}

TEST_CASE("what is executed too seldom for the work fails, with its number") {
  const auto check = made_of({kByWgmma}, 7);
  CHECK(check.status == Status::failed);
  CHECK(report::words(check).observed() == "7 arrivals at barriers in memory");
  CHECK(report::words(check).limit == "at least 8");
}

TEST_CASE("each thing that is counted is told with its number") {
  const std::pair<device::Used, const char*> wanted[] = {
      {device::Used::copied_bytes, "3 bytes of a block's shared memory filled by copies"},
      {device::Used::dynamic_bytes, "3 bytes of a block's dynamic shared memory written"},
      {device::Used::shared_updates, "3 stores and atomics of threads to shared memory"},
      {device::Used::loads_meanwhile,
       "3 loads of threads from shared memory while copies are under way"},
  };
  for (const auto& [what, told] : wanted) {
    auto execution = hand_made::transpose(64, 96);
    device::UsedCounts counts{};
    counts[static_cast<std::size_t>(what)] = 3;
    UsesBound asked;
    asked.way.may = static_cast<device::Way>(~0u);
    asked.counts[what] = {4, Measure::kNoLimit};
    const std::vector<device::Way> ways = {way::stored};
    execution.bounds.uses = asked;
    execution.uses = uses_taken(asked, ways, 1, counts);
    CHECK(report::words(check_uses("uses", std::span(&execution, 1))).observed() == told);
  }
}

TEST_CASE("an answer that was not followed is not measured") {
  auto execution = hand_made::transpose(64, 96);
  CHECK(check_uses("uses", std::span(&execution, 1)).status == Status::not_measured);
}

} // namespace course::judge
