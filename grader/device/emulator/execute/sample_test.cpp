// A sample of a grid's blocks: which ones, and what holds of their launch. data/sample.cu has the
// kernels.
#include "device/emulator/execute/schedule.hpp"
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

namespace course::emulator {
namespace {

const Options kSampleOf3{.threads = 2, .sample = 3};

struct Sampled {
  TestRun run{"sample.ptx"};
  device::Address out = run.buffer("out", std::vector<int>(64));

  // The blocks that left a mark.
  std::vector<int> of(const std::string& kernel, std::uint32_t blocks, const Options& options) {
    run.launch(kernel, {blocks}, {32}, 0, out).run(options);
    return marked();
  }
  std::vector<int> marked() const {
    std::vector<int> blocks;
    const auto marks = run.result<int>(0);
    for (int i = 0; i < 64; ++i)
      if (marks[static_cast<std::size_t>(i)]) blocks.push_back(i);
    return blocks;
  }
};

} // namespace

TEST_CASE(
    "a sample has as many different numbers as are wanted, the first and the last among them") {
  for (const std::uint64_t count : {1ull, 2ull, 7ull, 64ull, 1000ull, 1ull << 31}) {
    for (const std::uint64_t wanted : {1ull, 2ull, 3ull, 7ull, 63ull, 64ull, 65ull}) {
      CAPTURE(count);
      CAPTURE(wanted);
      const Sample sample(wanted, count);
      CHECK(sample.size() == std::min(wanted, count));
      CHECK(sample.at(0) == 0);
      if (wanted > 1) CHECK(sample.at(sample.size() - 1) == count - 1);
      for (std::uint64_t place = 0; place < sample.size(); ++place) {
        CHECK(sample.has(sample.at(place)));
        if (place) CHECK(sample.at(place) > sample.at(place - 1));
      }
    }
  }
  std::uint64_t in_it = 0;
  const Sample sample(63, 1000);
  for (std::uint64_t number = 0; number < 1000; ++number) in_it += sample.has(number) ? 1 : 0;
  CHECK(in_it == 63);
  CHECK(Sample(0, 5).size() == 5);
}

TEST_CASE(
    "so many blocks are executed, spread over the grid; all of them where there are no more") {
  const auto three = Sampled().of("marks", 64, kSampleOf3);
  REQUIRE(three.size() == 3);
  CHECK(three[0] == 0);
  CHECK(three[1] > 20);
  CHECK(three[1] < 43);
  CHECK(three[2] == 63);
  CHECK(Sampled().of("marks", 64, {.threads = 1, .sample = 3}) == three);
  for (const std::uint64_t wanted : {64, 65, 0})
    CHECK(Sampled().of("marks", 64, {.threads = 2, .sample = wanted}).size() == 64);
}

TEST_CASE("counts are those of the blocks that were executed") {
  Sampled sampled;
  sampled.of("marks", 64, kSampleOf3);
  CHECK(sampled.run.counts("global_store_4").requests == 3);
}

TEST_CASE("nobody is told that memory was never written which a block left out would have") {
  for (const std::uint64_t wanted : {3, 64}) {
    CAPTURE(wanted);
    TestRun run("sample.ptx");
    const auto out = run.buffer("out", std::vector<int>(64), false);
    const auto in = run.buffer("in", std::vector<int>(64), false);
    run.launch("marks", {60}, {32}, 0, in);
    run.launch("marks_if_marked", {64}, {32}, 0, out, in).run({.threads = 2, .sample = wanted});
    // All blocks of the first are executed in one of the two, and four words are left.
    CHECK(run.found(device::FindingKind::uninitialised) == (wanted == 64));
  }
}

TEST_CASE("clusters are executed whole") {
  const auto blocks = Sampled().of("marks_by_clusters", 64, {.threads = 2, .sample = 5});
  CHECK(blocks == std::vector<int>{0, 1, 2, 3, 60, 61, 62, 63});
}

TEST_CASE(
    "a sample of blocks that wait for each other is refused where they are a cooperative grid") {
  for (const std::uint32_t blocks : {3, 4}) {
    TestRun run("grid.ptx");
    const auto out = run.buffer("out", std::vector<int>(8));
    const auto parts = run.buffer("parts", std::vector<int>(8));
    run.launch("handed_on", {blocks}, {32}, 0, out, parts);
    std::get<device::Launch>(run.job.plan.steps.back()).cooperative = true;
    run.run(kSampleOf3);
    CHECK((run.seen.status == device::Observation::Status::completed) == (blocks == 3));
    if (blocks == 4) CHECK(run.why() == "of_kernel(handed_on, sample_of_cooperative(4, 3))");
  }
}

TEST_CASE("otherwise those are executed that the sample waits for, and no more") {
  std::vector<int> all(64);
  std::iota(all.begin(), all.end(), 0);
  CHECK(Sampled().of("chain", 64, kSampleOf3) == all);
  CHECK(Sampled().of("chain_of_clusters", 64, kSampleOf3) == all);
  Sampled sampled;
  const auto next = sampled.run.buffer("next", std::vector<int>(1));
  sampled.run.launch("numbered", {64}, {32}, 0, sampled.out, next).run(kSampleOf3);
  CHECK(sampled.marked() == std::vector<int>{0, 1, 2});
}

} // namespace course::emulator
