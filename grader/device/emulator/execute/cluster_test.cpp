// Clusters: ranks, shared memory of other blocks, and what goes wrong with it; kernels of
// data/clusters.cu.
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace course::emulator {
namespace {

using device::FindingKind;
using Kind = device::Order::Kind;

constexpr std::size_t kThreads = 64;

struct ClusterTest : TestRun {
  ClusterTest() : TestRun("clusters.ptx"), in(1024) {
    std::iota(in.begin(), in.end(), 1);
    out_at = buffer("out", std::vector<int>(1024, -1));
    in_at = buffer("in", in);
    job.instruction_budget = 2'000'000;
  }
  template <typename... More>
  ClusterTest& of(const std::string& kernel, std::uint32_t blocks, More... more) {
    launch(kernel, {blocks}, {kThreads}, 0, out_at, in_at, more...).run();
    return *this;
  }
  ClusterTest& in_order(Kind kind) {
    job.order.kind = kind;
    return *this;
  }
  bool says(const std::string& part) const { return findings().find(part) != std::string::npos; }
  std::vector<int> in;
  device::Address out_at = 0, in_at = 0;
};

// Whether each block has the values of the next one of its cluster.
bool has_neighbours(const TestRun& run, const std::vector<int>& in, std::size_t blocks,
                    std::size_t cluster, bool of_next) {
  const auto out = run.result<int>(0);
  for (std::size_t block = 0; block < blocks; ++block)
    for (std::size_t t = 0; t < kThreads; ++t) {
      const std::size_t first = block / cluster * cluster;
      const std::size_t other = first + (block - first + (of_next ? 1 : cluster - 1)) % cluster;
      if (out[block * kThreads + t] != in[other * kThreads + t]) return false;
    }
  return true;
}

} // namespace

TEST_CASE("a block knows its place in its cluster, and a cluster in its grid") {
  ClusterTest run;
  run.launch("ranks", {4, 4}, {8, 4}, 0, run.out_at).run();
  CHECK(run.why() == "");
  CHECK(run.findings() == "");
  const auto out = run.result<int>(0);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) {
      const auto* mine = &out[static_cast<std::size_t>(8 * (x + 4 * y))];
      CHECK(mine[0] == x % 2 + 2 * (y % 2));
      CHECK(mine[1] == 4);
      CHECK(mine[2] == x % 2 + 10 * (y % 2));
      CHECK(mine[3] == x / 2 + 2 * (y / 2));
      CHECK(mine[4] == 4);
      CHECK(mine[5] == 22);
      CHECK(mine[6] == 4 * 32);
    }
}

TEST_CASE("a launch may ask for clusters itself, within what the device has") {
  for (const std::uint32_t size : {1u, 2u, 4u}) {
    ClusterTest run;
    run.launch("how_many", {8}, {32}, 0, run.out_at);
    std::get<device::Launch>(run.job.plan.steps[0]).cluster = {size, 1, 1};
    run.run();
    CHECK(run.why() == "");
    for (std::size_t block = 0; block < 8; ++block)
      CHECK(run.result<int>(0)[block] == static_cast<int>(size));
  }
  ClusterTest uneven;
  uneven.launch("how_many", {6}, {32}, 0, uneven.out_at);
  std::get<device::Launch>(uneven.job.plan.steps[0]).cluster = {4, 1, 1};
  CHECK(device::spelled(uneven.run().reason) ==
        "no_multiple_of_clusters(how_many, size(6, 1, 1), size(4, 1, 1))");
  ClusterTest other;
  other.launch("ranks", {4, 4}, {32}, 0, other.out_at);
  std::get<device::Launch>(other.job.plan.steps[0]).cluster = {4, 1, 1};
  CHECK(device::spelled(other.run().reason).find("other_clusters(") != std::string::npos);
}

TEST_CASE("an address in the cluster's shared memory has a rank above its offset") {
  ClusterTest run;
  run.launch("addresses", {4}, {1}, 0, run.out_at).run();
  CHECK(run.why() == "");
  const auto out = run.result<int>(0);
  for (int rank = 0; rank < 4; ++rank) {
    const int next = (rank + 1) % 4;
    const std::vector<int> mine(&out[static_cast<std::size_t>(8 * rank)],
                                &out[static_cast<std::size_t>(8 * rank)] + 8);
    CHECK(mine == std::vector<int>{1, 0, 1, next, rank, next, 1, next});
  }
}

TEST_CASE("a neighbour's values are read between two barriers of the cluster") {
  for (const auto order : {Kind::by_index, Kind::backwards}) {
    ClusterTest run;
    run.in_order(order).of("neighbour_mended", 8);
    CHECK(run.why() == "");
    CHECK(run.findings() == "");
    CHECK(has_neighbours(run, run.in, 8, 4, true));
    CHECK(run.counts("dshared_load_4").requests == 8 * 2);
    CHECK(run.counts("dshared_load_4").sectors == 8 * 2 * 4);
    CHECK(run.counts("shared_load_4").requests == 0);
  }
}

TEST_CASE("without one of the two barriers it is a race, or the neighbour may have ended") {
  for (const auto order : {Kind::by_index, Kind::backwards}) {
    ClusterTest early;
    early.in_order(order).of("neighbour_too_early", 4);
    CHECK((early.found(FindingKind::race) || early.found(FindingKind::uninitialised)));
    ClusterTest block;
    block.in_order(order).of("neighbour_block_barrier", 4);
    CHECK((block.found(FindingKind::race) || block.found(FindingKind::uninitialised)));
    ClusterTest ends;
    ends.in_order(order).of("neighbour_ends_too_early", 4);
    CHECK(ends.found(FindingKind::cluster));
    CHECK(!ends.found(FindingKind::race));
    ClusterTest relaxed;
    relaxed.in_order(order).of("neighbour_relaxed", 4);
    CHECK(relaxed.found(FindingKind::race));
    CHECK(relaxed.says("no_order_cluster()"));
  }
}

TEST_CASE("a barrier of the cluster may be arrived at early and waited for late") {
  ClusterTest run;
  run.of("split_barrier", 4);
  CHECK(run.findings() == "");
  CHECK(run.result<int>(0)[0] == 2 + 65);
}

TEST_CASE("rounds need a barrier on both sides of what they share") {
  ClusterTest both;
  both.of("rounds", 4, 2);
  CHECK(both.findings() == "");
  CHECK(both.result<int>(0)[0] == 65 + 66 + 67);
  ClusterTest one;
  one.of("rounds", 4, 1);
  CHECK(one.found(FindingKind::race));
}

TEST_CASE("a histogram over two blocks is counted by remote atomics") {
  ClusterTest atomic;
  atomic.of("histogram", 2, 1);
  CHECK(atomic.why() == "");
  CHECK(atomic.findings() == "");
  for (std::size_t bin = 0; bin < 64; ++bin) CHECK(atomic.result<int>(0)[bin] == 2);
  CHECK(atomic.counts("dshared_atomic_4").requests > 0);
  ClusterTest plain;
  plain.of("histogram", 2, 0);
  CHECK(plain.found(FindingKind::race));
}

TEST_CASE("requests to another block take sectors and no wavefronts; to the own one, banks") {
  for (const int stride : {1, 33}) {
    CAPTURE(stride);
    ClusterTest run;
    run.launch("forms", {2}, {kThreads}, 0, run.out_at, stride).run();
    CHECK(run.why() == "");
    CHECK(run.findings() == "");
    const std::uint64_t sectors = stride == 1 ? 4 : 32;
    CHECK(run.counts("dshared_load_4").sectors == sectors);
    CHECK(run.counts("dshared_store_4").sectors == sectors);
    CHECK(run.counts("dshared_load_4").remote_lines == (stride == 1 ? 1 : 32));
    CHECK(run.counts("dshared_store_4").remote_lines == (stride == 1 ? 1 : 32));
    CHECK(run.counts("dshared_load_4").bytes == 32 * sectors);
    CHECK(run.counts("dshared_atomic_4").bytes == 64 * 2 * sectors);
    CHECK(run.counts("dshared_atomic_4").remote_lines == 0); // not known
    CHECK(run.counts("dshared_atomic_4").requests == 2);
    CHECK(run.counts("dshared_atomic_4").sectors == 2 * sectors);
    CHECK(run.counts("dshared_load_4").wavefronts == 0);
    for (int lane = 0; lane < 32; ++lane) {
      const int value = lane * stride;
      CHECK(run.result<int>(0)[static_cast<std::size_t>(lane)] == 2 * value + 1);
      CHECK(run.result<int>(0)[static_cast<std::size_t>(lane) + 32] == 2 * value + 6);
    }
  }
}

TEST_CASE("a rank that the cluster does not have is out of bounds") {
  ClusterTest run;
  run.of("beyond_the_cluster", 2);
  CHECK(run.found(FindingKind::out_of_bounds));
  CHECK(run.says(", 2, 2)"));
}

TEST_CASE("values reach a neighbour with a word to its barrier") {
  for (const auto order : {Kind::by_index, Kind::backwards})
    for (const char* kernel : {"sends_stores", "sends_async", "sends_bulk"}) {
      CAPTURE(kernel);
      ClusterTest run;
      run.in_order(order).of(kernel, 8);
      CHECK(run.why() == "");
      CHECK(run.findings() == "");
      CHECK(has_neighbours(run, run.in, 8, 4, false));
    }
  ClusterTest unwaited;
  unwaited.of("sends_unwaited", 4);
  CHECK(unwaited.found(FindingKind::race));
}

TEST_CASE("one copy goes to those blocks of a cluster that its mask names") {
  ClusterTest run;
  run.of("multicast", 4);
  CHECK(run.why() == "");
  CHECK(run.findings() == "");
  for (const std::size_t block : {0u, 1u, 3u}) CHECK(run.result<int>(0)[block * kThreads + 5] == 6);
  CHECK(run.result<int>(0)[2 * kThreads] == -1);
  CHECK(run.counts("bulk_global_load").requests == 1);
}

TEST_CASE("a barrier of the cluster that a block never reaches is named") {
  ClusterTest run;
  run.of("one_block_stays_away", 2);
  CHECK(run.seen.status == device::Observation::Status::failed);
  REQUIRE(!run.seen.findings.empty());
  CHECK(run.seen.findings.back().fatal);
  CHECK(run.seen.findings.back().kind == FindingKind::cluster);
  CHECK(run.says("cluster_waits_for_others(64, 128, "));
}

} // namespace course::emulator
