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

} // namespace course::judge
