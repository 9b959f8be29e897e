// Bulk copies: what they move, and each of their rules; kernels of data/bulk.cu.
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace course::emulator {
namespace {

using device::FindingKind;

struct BulkRun : TestRun {
  explicit BulkRun(const std::string& kernel, device::Order::Kind order = {}, int before = -1,
                   std::uint64_t seed = 0)
      : TestRun("bulk.ptx"), in(1024) {
    std::iota(in.begin(), in.end(), 1);
    const auto out = buffer("out", std::vector<int>(256, before));
    const auto from = buffer("in", in);
    job.order = {order, seed};
    job.instruction_budget = 2'000'000;
    launch(kernel, {1}, {128}, 0, out, from).run();
  }
  bool says(const std::string& part) const { return findings().find(part) != std::string::npos; }
  std::vector<int> in;
};

std::vector<int> reversed(const std::vector<int>& in) {
  return {in.rend() - 128, in.rend()};
}
std::vector<int> first_of(const TestRun& run) {
  auto out = run.result<int>(0);
  out.resize(128);
  return out;
}

} // namespace

TEST_CASE("a bulk copy brings a tile, and counts one copy and the sectors of its bytes") {
  for (const auto order : {device::Order::Kind::by_index, device::Order::Kind::backwards}) {
    BulkRun run("bulk_tile", order);
    CHECK(run.why() == "");
    CHECK(run.findings() == "");
    CHECK(first_of(run) == reversed({run.in.begin(), run.in.begin() + 128}));
    CHECK(run.counts("bulk_global_load").requests == 1);
    CHECK(run.counts("bulk_global_load").sectors == 16);
    CHECK(run.counts("bulk_global_load").bytes == 512);
    CHECK(run.counts("shared_load_4").requests == 4); // nothing is stored by threads
    CHECK(run.counts("shared_store_4").requests == 0);
  }
  BulkRun nothing("bulk_nothing");
  CHECK(nothing.findings() == "");
  CHECK(nothing.result<int>(0)[0] == 5);
  for (std::uint64_t seed = 0; seed < 20; ++seed) // no late copy either
    CHECK(BulkRun("bulk_nothing", device::Order::Kind::at_liberty, -1, seed).findings() == "");
}

TEST_CASE("what a bulk copy brings is there when its barrier's phase has ended, and not before") {
  BulkRun run("bulk_not_waited");
  CHECK(run.found(FindingKind::race));
  CHECK(run.says("copy_still_writes("));
  CHECK(run.says("ends_while_copy_writes()"));
}

TEST_CASE("too few bytes end a phase early, too many never") {
  BulkRun few("bulk_too_few");
  CHECK(few.found(FindingKind::phase));
  CHECK(few.says("ends_early(phase(0, barrier), 512)"));
  BulkRun many("bulk_too_many");
  REQUIRE(many.seen.findings.size() == 1);
  CHECK(many.seen.findings[0].fatal);
  CHECK(many.says("phase(0, barrier), bytes_do_not_come(128))"));
}

TEST_CASE("sizes and addresses are multiples of 16, and what is not is named") {
  BulkRun size("bulk_odd_size");
  REQUIRE(size.seen.findings.size() == 1);
  CHECK(size.seen.findings[0].kind == FindingKind::bulk_copy);
  CHECK(size.says("bulk_of_odd_size(500, 496)"));
  BulkRun address("bulk_odd_address");
  REQUIRE(address.seen.findings.size() == 1);
  CHECK(address.seen.findings[0].kind == FindingKind::misaligned);
  BulkRun past("bulk_past_the_end");
  CHECK(past.found(FindingKind::out_of_bounds));
  CHECK(past.says("bulk_past_array(528, element(values[0], 0))"));
}

TEST_CASE("a stage is refilled when all have released it") {
  for (const auto order : {device::Order::Kind::by_index, device::Order::Kind::backwards}) {
    BulkRun mended("bulk_ring_mended", order);
    CHECK(mended.findings() == "");
    int sum = 0;
    for (std::size_t round = 0; round < 8; ++round) sum += mended.in[round * 128 + 127];
    CHECK(mended.result<int>(0)[0] == sum);
    BulkRun early("bulk_ring_refills", order);
    CHECK((early.found(FindingKind::race) || early.found(FindingKind::phase)));
  }
}

TEST_CASE("a tile goes out as a whole, fenced between its stores and the copy") {
  for (const char* kernel : {"bulk_store", "bulk_store_fenced_late"}) {
    CAPTURE(kernel);
    BulkRun run(kernel);
    CHECK(run.why() == "");
    CHECK(run.findings() == "");
    CHECK(first_of(run) == reversed({run.in.begin(), run.in.begin() + 128}));
    CHECK(run.counts("bulk_global_store").requests == 1);
    CHECK(run.counts("bulk_global_store").sectors == 16);
  }
  BulkRun unfenced("bulk_store_unfenced");
  REQUIRE(unfenced.seen.findings.size() == 1);
  CHECK(unfenced.seen.findings[0].kind == FindingKind::proxy);
  CHECK(unfenced.says("copy_misses_store(element(values[0], 0), thread((127,0,0)))"));
  CHECK(unfenced.seen.findings[0].other_line != 0);
  BulkRun through("bulk_through"); // what a copy brought needs no fence
  CHECK(through.findings() == "");
  CHECK(first_of(through) == std::vector<int>{through.in.begin(), through.in.begin() + 128});
}

TEST_CASE("a tile that goes out is left alone until it has been waited for") {
  BulkRun ends("bulk_store_not_waited");
  REQUIRE(ends.seen.findings.size() == 1);
  CHECK(ends.seen.findings[0].kind == FindingKind::bulk_copy);
  CHECK(ends.says("ends_while_copy_reads()"));
  BulkRun overwritten("bulk_store_overwritten");
  CHECK(overwritten.found(FindingKind::race));
  CHECK(overwritten.says("copy_still_reads("));
}

TEST_CASE("a reduction adds to what is there") {
  BulkRun run("bulk_sums", {}, 1000);
  CHECK(run.findings() == "");
  CHECK(run.result<int>(0)[3] == 1004);
  CHECK(run.result<int>(0)[127] == 1128);
}

} // namespace course::emulator
