#include "judge/counts.hpp"

#include "judge/hand_made.hpp"
#include "judge/limits.hpp"

#include <doctest/doctest.h>

namespace course::judge {

TEST_CASE("an observation is added up by kind") {
  const auto execution = hand_made::transpose(64, 96, 32);
  const auto counts = count(execution.observed);
  CHECK(counts.shared_loads.requests == 192);
  CHECK(counts.shared_stores.ideal == 192);
  CHECK(counts.global_loads.sectors == 768);
  CHECK(counts.conflicts == 192 * 31);
  CHECK(counts.launches == 1);
  CHECK(counts.threads == 6144);
  CHECK(counts.shared_bytes == 4096);
}

TEST_CASE("what moves through a tile in another block of the cluster is traffic of the tile") {
  auto execution = hand_made::transpose(32, 32);
  const auto before = count(execution.observed);
  execution.observed.lines.push_back(hand_made::row(22, "dshared_store_16", 8));
  const auto counts = count(execution.observed);
  CHECK(counts.shared_stores.ideal == before.shared_stores.ideal + 32);
  CHECK(counts.shared_stores.requests == before.shared_stores.requests);
  CHECK(counts.conflicts == before.conflicts);
}

TEST_CASE("a tile that a bulk copy fills is filled") {
  auto execution = hand_made::transpose(32, 32);
  auto& line = execution.observed.lines[1]; // 32 stores
  line = hand_made::row(22, "bulk_global_load", 1);
  line.bytes = 31 * 128;
  CHECK(check_traffic(std::vector{execution}).status == Status::failed);
  line.bytes = 32 * 128;
  CHECK(check_traffic(std::vector{execution}).status == Status::passed);
  line.bytes = 100 * 128; // the most is of what threads store
  CHECK(check_traffic(std::vector{execution}).status == Status::passed);
  line.kind = model::kind_of("bulk_global_store").value();
  CHECK(check_traffic(std::vector{execution}).status == Status::failed);
}

TEST_CASE("every launch counts, not only the first") {
  auto execution = hand_made::transpose(32, 32);
  execution.observed.launches.push_back(execution.observed.launches[0]);
  execution.observed.launches[1].shared_bytes = 9000;
  const auto counts = count(execution.observed);
  CHECK(counts.launches == 2);
  CHECK(counts.threads == 2048);
  CHECK(counts.shared_bytes == 9000);
}

TEST_CASE(
    "rows of one line and access merge, others do not, and the sample of most conflicts stays") {
  auto small = hand_made::shared(29, "shared_load_4", 10, 1);
  auto bad = hand_made::shared(29, "shared_load_4", 10, 32);
  bad.worst.warp = 5;
  const auto merged = merge({small, bad, hand_made::shared(22, "shared_load_4", 1, 1)});
  REQUIRE(merged.size() == 2);
  CHECK(merged[0].line == 22);
  CHECK(merged[1].requests == 20);
  CHECK(merged[1].conflicts() == 310);
  CHECK(merged[1].worst.warp == 5);
  CHECK(ways(merged[1]) == 32);
  CHECK(ways(merged[0]) == 1);
  auto few = hand_made::shared(29, "shared_load_4", 2, 32),
       usual = hand_made::shared(29, "shared_load_4", 90, 8);
  usual.worst.warp = 7;
  CHECK(merge({few, usual})[0].worst.warp == 7); // 630 conflicts against 62
  CHECK(merge({usual, few})[0].worst.warp == 7);
}

TEST_CASE("one row whose width is a guess makes the sum a guess") {
  auto guess = hand_made::shared(29, "shared_load_4", 10, 1);
  guess.width_from_sass = false;
  CHECK_FALSE(merge({hand_made::shared(29, "shared_load_4", 10, 1), guess})[0].width_from_sass);
}

} // namespace course::judge
