// Kernels in pairs: what takes for granted what nobody promises fails in one of three drawn orders,
// whatever the seed, and its mended twin is right and silent in each. Kernels of data/liberties.cu
// and the files beside it. An ordinary test tries few seeds; COURSE_SEEDS=20 as many.
#include "device/emulator/execute/liberties.hpp"
#include "device/emulator/execute/liberty_checks.hpp"
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <map>
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
    {"late stores",
     "a strong read gets what was there before a strong write of another thread, in the block, its "
     "cluster or elsewhere, as long as it comes after neither that nor a read that has seen it",
     "PTX ISA, Memory Consistency Model, Axioms"},
    {"registers", "what a register holds that nothing has written",
     "PTX ISA, State Spaces: Register State Space"},
    {"shuffles", "what a lane receives from one that takes no part", "PTX ISA, `shfl.sync`"},
    {"try_wait", "it answers false where the phase has not ended, as it may stop waiting",
     "PTX ISA, `mbarrier.test_wait`, `mbarrier.try_wait`"},
    {"test_wait", "it answers false where the phase could have ended",
     "PTX ISA, `mbarrier.test_wait`, `mbarrier.try_wait`"},
    {"late copies",
     "what a barrier in memory is told of by copies comes later than when somebody "
     "looks",
     "PTX ISA, Data Movement and Conversion Instructions: Asynchronous copy"},
    {"pieces of copies",
     "some pieces of a copy land at once and the others with its wait, those of another copy "
     "between",
     "PTX ISA, Data Movement and Conversion Instructions: Asynchronous copy"},
    {"blocks of a cluster", "one begins later than another, and they have their turns in any order",
     "CUDA C++ Programming Guide, Thread Block Clusters"},
    {"launches",
     "launches of streams that nothing orders come in either order, or at the same time",
     "CUDA C++ Programming Guide, Streams"},
    {"places", "where a warp is on its multiprocessor, and which one that is",
     "PTX ISA, Special Registers: `%warpid`, `%smid`"},
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
                           {"multiprocessor_number", "places", 8},
                           {"lost_bit", "blocks", 255},
                           {"lost_toggle", "blocks", 257},
                           {"lost_subtraction", "blocks", -8},
                           {"lost_product", "blocks", 256},
                           {"smallest", "blocks", -8},
                           {"lost_long", "blocks", 8},
                           {"lost_real", "blocks", 8},
                           {"append", "blocks", 8},
                           {"made_once", "blocks", 1},
                           {"pool", "blocks", 4},
                           {"last_by_two", "blocks", 1},
                           {"last_number", "blocks", 8},
                           {"first_number", "blocks", 4},
                           {"ascending", "blocks", 8},
                           {"chain_once", "blocks", 8},
                           {"chain_thrice", "blocks", 8},
                           {"turn_looked_for", "blocks", 8},
                           {"lock_tried", "blocks", 8},
                           {"other_warp", "warps", 64, false},
                           {"warp_order", "warps", 16},
                           {"last_warp", "warps", 8},
                           {"warp_sum", "warps", 16},
                           {"warp_flag", "warps", 8},
                           {"elected", "warps", 8},
                           {"lane_scan", "lanes", 32},
                           {"next_lane", "lanes", 32},
                           {"exchange_order", "lanes of an atomic", 32},
                           {"down_order", "lanes of an atomic", 32},
                           {"shared_order", "lanes of an atomic", 32},
                           {"first_lane_wins", "lanes of an atomic", 1},
                           {"first_bit", "lanes of an atomic", 32},
                           {"rising", "lanes of an atomic", 32},
                           {"last_lane", "lanes of a store", 31},
                           {"last_of_half", "lanes of a store", 16},
                           {"last_long", "lanes of a store", 31},
                           {"leader", "places", 8},
                           {"slots", "places", 8},
                           {"try_parity_once", "try_wait", 512},
                           {"try_for_long", "try_wait", 512},
                           {"test_parity_once", "test_wait", 512, false},
                           {"one_waits", "try_wait", 512},
                           {"copy_second_phase", "late copies", 512},
                           {"copy_looked_once", "try_wait", 64},
                           {"copy_two", "late copies", 64},
                           {"copy_own", "late copies", 64},
                           {"copy_last_word", "pieces of copies", 64},
                           {"copy_own_word", "pieces of copies", 256},
                           {"copy_over_copy", "pieces of copies", 256},
                           {"rank_order", "blocks of a cluster", 8},
                           {"other_rank", "blocks of a cluster", 4},
                           {"streams", "launches", 1},
                           {"launches_add", "launches", 2},
                           {"launches_greater", "launches", 7},
                           {"launches_flag", "launches", 7},
                           {"launches_publish", "launches", 7},
                           {"launches_lock", "launches", 2},
                           {"launches_second", "launches", 1},
                           {"launches_append", "launches", 3},
                           {"launches_last", "launches", 2},
                           {"launches_look_back", "launches", 7},
                           {"late_data", "late stores", 7},
                           {"late_relaxed", "late stores", 7},
                           {"late_half_fenced", "late stores", 7},
                           {"late_block_fence", "late stores", 7},
                           {"late_chain", "late stores", 8},
                           {"late_look_back", "late stores", 8},
                           {"late_sums", "late stores", 8},
                           {"late_total", "late stores", 8},
                           {"late_pairs", "late stores", 8},
                           {"late_entry", "late stores", 1},
                           {"late_announcement", "late stores", 1},
                           {"block_exchange", "late stores", 8},
                           {"block_exchange_plain", "late stores", 8},
                           {"block_atomics", "late stores", 8},
                           {"block_relaxed", "late stores", 8},
                           {"block_half_fenced", "late stores", 8},
                           {"block_for_warp", "late stores", 32},
                           {"block_global", "late stores", 8},
                           {"block_global_plain", "late stores", 8},
                           {"block_entry", "late stores", 8},
                           {"block_barriers", "late stores", 192},
                           {"block_phase", "late stores", 64, false},
                           {"cluster_there", "late stores", 4},
                           {"cluster_here", "late stores", 4},
                           {"cluster_fences", "late stores", 16},
                           {"late_both", "late stores", 4},
                           {"late_readers", "late stores", 1},
                           {"late_votes", "late stores", 1},
                           {"same_top", "blocks", 1},
                           {"absent_lane", "shuffles", 8},
                           {"unset_sum", "registers", 3},
                           {"unset_real", "registers", 3},
                           {"unset_bits", "registers", 3},
                           {"late_best", "blocks", 8},
                           {"counts_first", "blocks", 8},
                           {"compares_late", "blocks", 8},
                           {"late_count", "blocks", 8}};

// In which file of data/ a kernel is.
std::string file_of(const std::string& kernel) {
  static const std::map<std::string, std::string> files = [] {
    std::map<std::string, std::string> all;
    for (const char* name :
         {"liberties", "liberties_blocks", "liberties_late", "liberties_block", "liberties_warps",
          "liberties_waits", "liberties_clusters", "liberties_launches"}) {
      const std::string text = ptx_of(name), entry = ".entry ";
      for (std::size_t at = 0; (at = text.find(entry, at)) != std::string::npos;) {
        at += entry.size();
        all[code::display_name(text.substr(at, text.find('(', at) - at))] = name;
      }
    }
    return all;
  }();
  return files.at(kernel) + ".ptx";
}

// Two launches, of which the second waits for the event of the first or does not.
void in_two_streams(TestRun& run, const std::string& first, const std::string& second,
                    device::Address out, device::Address state, bool waits) {
  using What = device::StreamCall::What;
  const auto call = [&](What what, std::uint32_t stream, std::uint32_t event = 0) {
    run.job.plan.steps.emplace_back(device::StreamCall{what, stream, event});
  };
  call(What::create_non_blocking, 1);
  call(What::create_non_blocking, 2);
  call(What::use, 1);
  run.launch(first, {kBlocks}, {64}, 0, out, state);
  if (waits) {
    call(What::record, 1, 1);
    call(What::wait, 2, 1);
  }
  call(What::use, 2);
  run.launch(second, {kBlocks}, {64}, 0, out, state);
}

TestRun run_of(const std::string& kernel, device::Order order, unsigned threads = 1,
               bool strict_acquires = false) {
  const bool streams = kernel.starts_with("streams"), launches = kernel.starts_with("launches_");
  TestRun run(file_of(streams ? "leaves" : kernel));
  const auto out = run.buffer("out", std::vector<int>(4));
  const bool copies = kernel.starts_with("copy");
  const auto state = run.buffer("state", std::vector<int>(128, copies ? 1 : 0));
  run.job.order = order;
  run.job.strict_acquires = strict_acquires;
  run.job.instruction_budget = 20'000'000;
  Options options;
  options.threads = threads;
  options.lenient = kernel.starts_with("absent_lane");
  if (streams)
    in_two_streams(run, "leaves", "takes", out, state, kernel == "streams_right");
  else if (launches)
    in_two_streams(run, kernel, std::string(kernel).insert(kernel.rfind('_'), "_after"), out, state,
                   false);
  else
    run.launch(kernel, {kBlocks}, {64}, 0, out, state);
  run.run(options);
  return run;
}

// What came late is a note, and in a kernel that waits for it no news.
bool is_silent(const TestRun& run) {
  return std::ranges::all_of(run.seen.findings, [](const device::Finding& finding) {
    return finding.kind == device::FindingKind::late_store;
  });
}

bool passes(const TestRun& run, int right) {
  const bool only_notes = std::ranges::all_of(
      run.seen.findings, [](const device::Finding& one) { return device::is_note(one.kind); });
  return run.why().empty() && only_notes && run.result<int>(0)[0] == right;
}

} // namespace

TEST_CASE("there are sixty pairs at least") {
  CHECK(std::size(kPairs) >= 60);
}

TEST_CASE("each liberty is shown by a pair of kernels") {
  std::set<std::string> shown, named;
  for (const Pair& pair : kPairs) shown.insert(pair.liberty);
  for (const Liberty& liberty : kLiberties) named.insert(liberty.name);
  CHECK(shown == named);
}

TEST_CASE("the page of what the checker decides has the same table") {
  std::ifstream page(COURSE_SOURCE_DIR "/chapters/checker.md");
  std::set<std::string> rows;
  for (std::string line; std::getline(page, line);) rows.insert(line);
  for (const Liberty& liberty : kLiberties) {
    const std::string row =
        std::string("| ") + liberty.name + " | " + liberty.what + " | " + liberty.given_by + " |";
    CHECK_MESSAGE(rows.contains(row), row);
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
    std::uint64_t failed = 0;
    for (std::uint64_t seed = 0; seed < seeds(); ++seed) {
      bool passed = true;
      for (std::uint64_t i = 0; passed && i < device::kManners; ++i)
        passed =
            passes(run_of(kernel, {Kind::at_liberty, device::kManners * seed + i}), pair.right);
      failed += passed ? 0 : 1;
    }
    CHECK(failed == seeds());
  }
}

TEST_CASE("who goes on behind a first look that says no does so before the copy comes") {
  constexpr std::uint64_t kOrders = 40;
  std::uint64_t early = 0;
  for (std::uint64_t seed = 0; seed < kOrders; ++seed)
    early += run_of("copy_looked_once_wrong", {Kind::at_liberty, seed}).result<int>(0)[0] != 64;
  CHECK(early >= kOrders * 9 / 10); // a warp may be preempted between
}

TEST_CASE("its mended twin is right, and silent, in each order") {
  for (const Pair& pair : kPairs) {
    CAPTURE(std::string(pair.name));
    for (std::uint64_t seed = 0; seed < device::kManners * seeds(); ++seed) {
      CAPTURE(seed);
      const auto run = run_of(std::string(pair.name) + "_right", {Kind::at_liberty, seed});
      CHECK(run.why() == "");
      CHECK_MESSAGE(is_silent(run), run.findings());
      CHECK(run.result<int>(0)[0] == pair.right);
    }
  }
}

// What a draw has parted, in a program whose lanes all take one way.
TEST_CASE("lanes in different rounds of a loop all come to the barriers that all come to") {
  const std::map<std::string, int> kernels = {{"ring_with_barriers", 8 * 32 * 120},
                                              {"aligned_after_loop", 8 * 64}};
  for (const auto& expected : kernels) {
    const auto& [kernel, right] = expected;
    CAPTURE(expected.first);
    for (std::uint64_t seed = 0; seed < 4 * device::kManners * seeds(); ++seed) {
      CAPTURE(seed);
      const auto run = run_of(kernel, {Kind::at_liberty, seed});
      CHECK(run.why() == "");
      CHECK_MESSAGE(is_silent(run), run.findings());
      CHECK(run.result<int>(0)[0] == right);
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

TEST_CASE("where something depends on a variable that nothing has set is said in drawn orders") {
  for (const Pair& pair : kPairs) {
    CAPTURE(std::string(pair.name));
    const bool unset = pair.liberty == std::string("registers");
    const auto run = run_of(std::string(pair.name) + "_wrong", {Kind::at_liberty, 1});
    CHECK(run.found(device::FindingKind::unset) == unset);
    for (const device::Finding& finding : run.seen.findings)
      if (finding.kind == device::FindingKind::unset) CHECK(finding.line > 0);
    const auto first = run_of(std::string(pair.name) + "_wrong", {});
    CHECK(!first.found(device::FindingKind::unset));
  }
}

TEST_CASE("one seed is one order, on any number of cores") {
  for (const Pair& pair : kPairs) {
    const std::string kernel = std::string(pair.name) + "_wrong";
    for (std::uint64_t seed = 0; seed < (kSanitized ? 1 : device::kManners); ++seed) {
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
