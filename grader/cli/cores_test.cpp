// One seed gives one verdict, on any number of cores: real files, racy and clean ones, graded from
// their text to the JSON, which has to be the same byte for byte.
#include "cli/chosen.hpp"
#include "cli/project.hpp"
#include "device/emulator/emulator.hpp"
#include "lab/labs.hpp"
#include "lab/tools.hpp"
#include "report/json.hpp"

#include <doctest/doctest.h>

namespace course::cli {
namespace {

struct HandIn {
  const char* exercise;
  const char* file;   // from the project's root
  const char* failed; // the check; nullptr where it passes
};

constexpr const char* kReduction = "04_reduction/4_whole_array";
constexpr const char* kTree = "04_reduction/3_no_race";
constexpr const char* kPad = "05_transpose/2_pad";
constexpr const char* kWarpSum = "07_shuffles/3_warp_sum";

constexpr HandIn kHandIns[] = {
    {kReduction, "attacks/device/adds_from_every_block.cu", "memory"},
    {kReduction, "attacks/device/counts_without_a_fence.cu", "memory"},
    {kReduction, "solutions/04_reduction/wrong/4_whole_array_last_block_wins.cu", "memory"},
    {kTree, "attacks/device/relaxed_tail.cu", "memory"},
    {kTree, "labs/04_reduction/3_no_race.cu", "memory"},
    {kPad, "attacks/device/no_barrier.cu", "memory"},
    {kWarpSum, "solutions/07_shuffles/wrong/3_warp_sum_early_return.cu", "memory"},
    {kPad, "attacks/device/first_come_is_first_block.cu", "output"},
    {kPad, "attacks/device/first_come_is_first_warp.cu", "output"},
    {kPad, "attacks/device/never_ends.cu", "kernel"},
    {kReduction, "solutions/04_reduction/4_whole_array.cu", nullptr},
    {kReduction, "solutions/04_reduction/honest/4_whole_array_last_block_volatile.cu", nullptr},
    {kReduction, "solutions/04_reduction/honest/4_whole_array_one_value_by_all.cu", nullptr},
    {kTree, "solutions/04_reduction/3_no_race.cu", nullptr},
    {kPad, "solutions/05_transpose/2_pad.cu", nullptr},
};

judge::Verdict graded(const HandIn& one, std::uint64_t seed, unsigned cores) {
  const auto device = emulator::make_device({cores, true});
  const auto tools = lab::make_tools(find_workplace(), *device);
  const auto& exercise = *lab::find(lab::exercises(COURSE_SOURCE_DIR), one.exercise).exercise;
  const MeantFile file({&exercise, {}}, std::string(COURSE_SOURCE_DIR "/") + one.file, false,
                       COURSE_SOURCE_DIR);
  return lab::grade(exercise, {file.path(), seed}, tools);
}

} // namespace

TEST_CASE("the same seed gives the same verdict with 1, 2, 7 and 16 cores, racy files included") {
  const auto place = find_workplace();
  if (!place.toolkit) {
    MESSAGE("skipped: no nvcc on this machine");
    return;
  }
  for (const HandIn& one : kHandIns) {
    const std::string file = one.file;
    CAPTURE(file);
    constexpr std::uint64_t kSeed = 7;
    const auto alone = graded(one, kSeed, 1);
    CHECK((alone.ending == judge::Ending::passed) == !one.failed);
    if (one.failed) {
      const auto* check = judge::find(alone.checks, one.failed);
      REQUIRE(check);
      CHECK(check->status == judge::Status::failed);
    }
    const auto text = report::json_text(report::json(alone));
    for (const unsigned cores : {2u, 7u, 16u}) {
      CAPTURE(cores);
      const bool equal = text == report::json_text(report::json(graded(one, kSeed, cores)));
      CHECK(equal);
    }
  }
}

} // namespace course::cli
