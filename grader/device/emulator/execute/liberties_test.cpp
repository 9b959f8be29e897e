// Kernels in pairs: what takes for granted what nobody promises fails in one of three drawn orders,
// whatever the seed, and its mended twin is right and silent in each. Kernels of
// data/liberties.cu.
#include "device/emulator/execute/liberties.hpp"
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <set>

namespace course::emulator {
namespace {

using Kind = device::Order::Kind;

// What is drawn, and who leaves it open. There are pairs of kernels for each.
struct Liberty {
  const char* name;
  const char* what;
  const char* given_by;
};
constexpr Liberty kLiberties[] = {
    {"lanes",
     "lanes of a warp part before an access where order can be seen, and either path of a "
     "branch goes first",
     "CUDA C++ Programming Guide, Independent Thread Scheduling"},
    {"warps", "a warp is preempted there, for long or for short",
     "PTX ISA, Memory Consistency Model, Causality Order"},
    {"blocks", "a block is preempted there, with others of its launch executed between",
     "CUDA C++ Programming Guide, Thread Hierarchy"},
    {"lanes of an atomic", "lanes of one atomic come in any order",
     "CUDA C++ Programming Guide, SIMT Architecture"},
    {"lanes of a store", "lanes of one strong store to one word come in any order",
     "CUDA C++ Programming Guide, SIMT Architecture"},
    {"try_wait", "it answers false where the phase has not ended, as it may stop waiting",
     "PTX ISA, mbarrier.test_wait, mbarrier.try_wait"},
    {"test_wait", "it answers false where the phase could have ended",
     "PTX ISA, mbarrier.test_wait, mbarrier.try_wait"},
    {"late copies",
     "what a barrier in memory is told of by copies comes later than when somebody "
     "looks",
     "PTX ISA, Data Movement and Conversion Instructions: Asynchronous copy"},
    {"places", "where a warp is on its multiprocessor (%warpid), and which one that is (%smid)",
     "PTX ISA, Special Registers: %warpid, %smid"},
};

struct Pair {
  const char* name;
  const char* liberty;      // that shows it, in kLiberties
  int right;                // that out[0] should be
  bool passes_first = true; // the wrong one, as long as no liberties are taken
};
constexpr std::uint32_t kBlocks = 8;
constexpr Pair kPairs[] = {{"lost_update", "blocks", 8},
                           {"lost_atomic", "blocks", 8},
                           {"check_then_act", "blocks", 1},
                           {"one_look", "blocks", 8},
                           {"some_looks", "blocks", 8},
                           {"last_block", "blocks", 1},
                           {"lock", "blocks", 8},
                           {"greatest", "blocks", 8},
                           {"first_block", "blocks", 8},
                           {"fence_for_barrier", "lanes", 64},
                           {"neighbour", "warps", 64},
                           {"paths", "lanes", 64, false},
                           {"atomic_order", "lanes of an atomic", 32},
                           {"last_store", "lanes of a store", 31},
                           {"one_writes", "lanes of a store", 31},
                           {"try_once", "try_wait", 64},
                           {"test_once", "test_wait", 64, false},
                           {"copy_try_once", "late copies", 64},
                           {"copy_test_once", "late copies", 64},
                           {"warp_number", "places", 64},
                           {"multiprocessor_number", "places", 8}};

TestRun run_of(const std::string& kernel, device::Order order, unsigned threads = 1,
               bool strict_acquires = false) {
  TestRun run("liberties.ptx");
  const auto out = run.buffer("out", std::vector<int>(4));
  const bool copies = kernel.starts_with("copy");
  const auto state = run.buffer("state", std::vector<int>(128, copies ? 1 : 0));
  run.job.order = order;
  run.job.strict_acquires = strict_acquires;
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

TEST_CASE("each liberty is shown by a pair of kernels") {
  std::set<std::string> shown, named;
  for (const Pair& pair : kPairs) shown.insert(pair.liberty);
  for (const Liberty& liberty : kLiberties) named.insert(liberty.name);
  CHECK(shown == named);
}

TEST_CASE("the page of what the checker decides has the same table") {
  std::ifstream page(COURSE_SOURCE_DIR "/grader/device/emulator/check/README.md");
  std::set<std::string> rows;
  for (std::string line; std::getline(page, line);) rows.insert(line);
  for (const Liberty& liberty : kLiberties) {
    std::string row = std::string("| ") + liberty.name + " | " + liberty.given_by + " |";
    for (const Pair& pair : kPairs)
      if (pair.liberty == std::string(liberty.name))
        row += std::string(row.back() == '|' ? " " : ", ") + pair.name;
    CHECK_MESSAGE(rows.contains(row + " |"), row);
  }
}

TEST_CASE("a relaxed read acquires only behind a fence, where the job asks for that") {
  for (const bool strict : {false, true}) {
    for (const char* kernel :
         {"relaxed_flag_wrong", "relaxed_flag_right", "relaxed_flag_barrier"}) {
      CAPTURE(std::string(kernel));
      const auto run = run_of(kernel, {}, 1, strict);
      CHECK(run.why() == "");
      CHECK(run.result<int>(0)[0] == 1);
      const bool told = strict && kernel == std::string("relaxed_flag_wrong");
      CHECK((run.findings().find("no_order_acquire") != std::string::npos) == told);
      CHECK(run.findings().empty() == !told);
    }
  }
}

TEST_CASE("what takes for granted what nobody promises fails in one of three orders") {
  for (const Pair& pair : kPairs) {
    CAPTURE(std::string(pair.name));
    const std::string kernel = std::string(pair.name) + "_wrong";
    int failed = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      bool passed = true;
      for (std::uint64_t i = 0; passed && i < device::kManners; ++i)
        passed =
            passes(run_of(kernel, {Kind::at_liberty, device::kManners * seed + i}), pair.right);
      failed += passed ? 0 : 1;
    }
    CHECK(failed == 20);
  }
}

TEST_CASE("its mended twin is right, and silent, in each order") {
  for (const Pair& pair : kPairs) {
    CAPTURE(std::string(pair.name));
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
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
    for (std::uint64_t seed = 0; seed < device::kManners; ++seed) {
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
