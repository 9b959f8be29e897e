// cuda::barrier, cuda::pipeline, cuda::memcpy_async and cg::memcpy_async of data/guide.cu: right,
// and nothing is found, whatever runs first.
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace course::emulator {
namespace {

struct Guide {
  const char* kernel;
  std::size_t rounds, each; // of elements that it reads
  std::size_t results;
  std::size_t (*from)(std::size_t t, std::size_t round); // index of what is summed up
};

std::size_t mirrored(std::size_t t, std::size_t round) {
  return round * 128 + 127 - t;
}

} // namespace

TEST_CASE("what the programming guide writes runs as it is written") {
  const Guide guides[] = {
      {"guide_producers", 6, 64, 64,
       [](std::size_t t, std::size_t round) { return round * 64 + (t + 1) % 64; }},
      {"guide_memcpy_async", 3, 128, 128, mirrored},
      {"guide_memcpy_words", 1, 128, 128, mirrored},
      {"guide_cg_memcpy", 1, 128, 128, mirrored},
      {"guide_pipeline", 4, 128, 128, mirrored},
      {"guide_roles", 6, 64, 64,
       [](std::size_t t, std::size_t round) { return round * 64 + 63 - t; }},
  };
  for (const Guide& guide : guides) {
    for (const auto order : {device::Order::Kind::by_index, device::Order::Kind::backwards}) {
      CAPTURE(guide.kernel);
      TestRun run("guide.ptx");
      std::vector<int> in(1024);
      std::iota(in.begin(), in.end(), 1);
      const auto out = run.buffer("out", std::vector<int>(512, -1));
      const auto from = run.buffer("in", in);
      run.job.order.kind = order;
      run.job.instruction_budget = 5'000'000;
      run.launch(guide.kernel, {1}, {128}, 0, out, from).run();
      CHECK(run.why() == "");
      CHECK(run.findings() == "");
      const auto results = run.result<int>(0);
      for (std::size_t t = 0; t < guide.results; ++t) {
        int sum = 0;
        for (std::size_t round = 0; round < guide.rounds; ++round) sum += in[guide.from(t, round)];
        REQUIRE(results[t] == sum);
      }
    }
  }
}

TEST_CASE("cuda::barrier hands values on, round after round") {
  TestRun run("guide.ptx");
  std::vector<int> in(128);
  std::iota(in.begin(), in.end(), 1);
  const auto out = run.buffer("out", std::vector<int>(3 * 128, -1));
  const auto from = run.buffer("in", in);
  run.launch("guide_barrier", {1}, {128}, 0, out, from).run();
  CHECK(run.findings() == "");
  for (std::size_t round = 0; round < 3; ++round)
    CHECK(run.result<int>(0)[round * 128] == 128 + static_cast<int>(round));
}

} // namespace course::emulator
