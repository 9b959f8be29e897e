// Kernels in pairs: what takes for granted what nobody promises fails in one of two drawn orders,
// whatever the seed, and its mended twin is right and silent in both. Kernels of
// data/liberties.cu.
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

namespace course::emulator {
namespace {

using Kind = device::Order::Kind;

struct Pair {
  const char* name;
  int right;                // that out[0] should be
  int at_least = 20;        // of as many seeds, the wrong one fails for
  bool passes_first = true; // the wrong one, as long as no liberties are taken
};
constexpr std::uint32_t kBlocks = 8;
constexpr Pair kPairs[] = {{"lost_update", 8},
                           {"lost_atomic", 8},
                           {"check_then_act", 1},
                           {"one_look", 8},
                           {"fence_for_barrier", 64, 18},
                           {"neighbour", 64},
                           {"paths", 64, 20, false},
                           {"atomic_order", 32},
                           {"last_store", 31},
                           {"one_writes", 31},
                           {"try_once", 64},
                           {"test_once", 64, 20, false},
                           {"copy_try_once", 64},
                           {"copy_test_once", 64}};

TestRun run_of(const std::string& kernel, device::Order order, unsigned threads = 1) {
  TestRun run("liberties.ptx");
  const auto out = run.buffer("out", std::vector<int>(4));
  const bool copies = kernel.starts_with("copy");
  const auto state = run.buffer("state", std::vector<int>(128, copies ? 1 : 0));
  run.job.order = order;
  run.job.instruction_budget = 20'000'000;
  Options options;
  options.threads = threads;
  run.launch(kernel, {kBlocks}, {64}, 0, out, state).run(options);
  return run;
}

bool passes(const TestRun& run, int right) {
  return run.why().empty() && run.findings().empty() && run.result<int>(0)[0] == right;
}

} // namespace

TEST_CASE("what takes for granted what nobody promises fails in one of two orders") {
  for (const Pair& pair : kPairs) {
    CAPTURE(std::string(pair.name));
    const std::string kernel = std::string(pair.name) + "_wrong";
    int failed = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const bool passed = passes(run_of(kernel, {Kind::at_liberty, 2 * seed + 1}), pair.right) &&
                          passes(run_of(kernel, {Kind::at_liberty, 2 * seed + 2}), pair.right);
      failed += passed ? 0 : 1;
    }
    CHECK(failed >= pair.at_least);
  }
}

TEST_CASE("its mended twin is right, and silent, in each order") {
  for (const Pair& pair : kPairs) {
    CAPTURE(std::string(pair.name));
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      CAPTURE(seed);
      const auto run = run_of(std::string(pair.name) + "_right", {Kind::at_liberty, seed});
      CHECK(run.why() == "");
      CHECK(run.findings() == "");
      CHECK(run.result<int>(0)[0] == pair.right);
    }
  }
}

TEST_CASE("liberties are taken where somebody asks for them, and not otherwise") {
  for (const Pair& pair : kPairs) {
    CAPTURE(std::string(pair.name));
    const auto wrong = run_of(std::string(pair.name) + "_wrong", {});
    CHECK(wrong.seen.order_matters);
    CHECK((wrong.result<int>(0)[0] == pair.right) == pair.passes_first);
    CHECK(run_of(std::string(pair.name) + "_right", {}).result<int>(0)[0] == pair.right);
  }
}

TEST_CASE("one seed is one order, on any number of cores") {
  for (const Pair& pair : kPairs) {
    const std::string kernel = std::string(pair.name) + "_wrong";
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      CAPTURE(kernel);
      const auto one = run_of(kernel, {Kind::at_liberty, seed}, 1);
      for (const unsigned threads : {2u, 7u}) {
        const auto other = run_of(kernel, {Kind::at_liberty, seed}, threads);
        CHECK(other.findings() == one.findings());
        CHECK(other.result<int>(0) == one.result<int>(0));
      }
    }
  }
}

} // namespace course::emulator
