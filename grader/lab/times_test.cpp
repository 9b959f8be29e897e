#include "lab/times.hpp"

#include "lab/cost.hpp"
#include "lab/labs.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <unistd.h>

namespace course::lab {
namespace {

const std::vector<TimedFile> kTimed{{"x", "solution", "", 71e-6},
                                    {"x", "skeleton", "conflicts", 126e-6},
                                    {"x", "wrong", "conflicts", 130e-6},
                                    {"x", "wrong", "coalescing traffic", 200e-6},
                                    {"x", "wrong", "threads", 80e-6}};

Exercise timed_exercise(std::uint64_t cost) {
  Exercise exercise;
  exercise.time = TimeLimit{};
  exercise.time->shape = [cost] {
    Case shape;
    shape.shape = "4096 x 4096";
    shape.operands = {{"out", 1000, true}, {"in", 1000}};
    shape.bounds.cost = many_times(cost, cost);
    return shape;
  };
  return exercise;
}

judge::Execution executed(std::uint64_t cost) {
  judge::Execution execution;
  execution.bounds.cost = many_times(cost, cost);
  execution.observed.launches.resize(1);
  execution.observed.launches[0].instructions = 132 * 4 * 1980; // a microsecond of all schedulers
  return execution;
}

const auto& kGpu = model::default_gpu();

} // namespace

TEST_CASE("of others' times those are shown that fail the same, or else the longest") {
  const auto all = untimed(timed_exercise(1), kTimed, {"conflicts"}, {}, kGpu);
  REQUIRE(all);
  CHECK(all->shape == "4096 x 4096");
  CHECK(all->of_solution == 71e-6);
  REQUIRE(all->others.size() == 1);
  CHECK(all->others[0].checks == std::vector<std::string>{"conflicts"});
  CHECK(all->others[0].low == 126e-6);
  CHECK(all->others[0].high == 130e-6);
  CHECK_FALSE(all->least); // nothing was executed
  const auto longest = untimed(timed_exercise(1), kTimed, {}, {}, kGpu)->others;
  REQUIRE(longest.size() == 2);
  CHECK(longest[0].checks == std::vector<std::string>{"coalescing", "traffic"});
  CHECK(longest[1].checks == std::vector<std::string>{"conflicts"});
}

TEST_CASE("counts grow to the timed shape as a solution's do") {
  const std::vector<judge::Execution> all{executed(10'000), executed(1'000)};
  const auto found = untimed(timed_exercise(300'000), kTimed, {}, all, kGpu);
  REQUIRE(found->least);
  CHECK(found->least->instructions == doctest::Approx(30e-6));
  CHECK(found->least->most() == found->least->instructions);
}

TEST_CASE("no least time is said where inputs of one shape take different work") {
  std::vector<judge::Execution> all{executed(10'000), executed(10'000), executed(1'000)};
  CHECK(untimed(timed_exercise(300'000), kTimed, {}, all, kGpu)->least);
  all[2].observed.launches[0].instructions = 7; // of another shape
  CHECK(untimed(timed_exercise(300'000), kTimed, {}, all, kGpu)->least);
  all[1].observed.launches[0].instructions = 7;
  CHECK_FALSE(untimed(timed_exercise(300'000), kTimed, {}, all, kGpu)->least);
}

TEST_CASE("nothing is said without a time to grade, or without a measured solution") {
  CHECK_FALSE(untimed(Exercise{}, kTimed, {}, {}, kGpu));
  CHECK_FALSE(untimed(timed_exercise(1), {kTimed[1]}, {}, {}, kGpu));
}

TEST_CASE("rows of the table belong to their exercise, and a broken one to none") {
  const auto root = std::filesystem::temp_directory_path() / ("timed_" + std::to_string(getpid()));
  std::filesystem::create_directories(root / "book/data/h200");
  std::ofstream(root / "book/data/h200/exercise_times.csv")
      << "# device\nexercise,file,kind,fails,shape,median_us,low_us,high_us\n"
         "05_transpose/2_pad,a.cu,solution,,rows=1 cols=2,71.5,71,72\n"
         "05_transpose/2_pad,b.cu,wrong,conflicts,rows=1 cols=2,126,125,127\n"
         "05_transpose/2_pad,c.cu,wrong\n"
         "05_transpose/2_padded,d.cu,wrong,conflicts,,1,1,1\n";
  const auto files = timed_files(root, "05_transpose/2_pad", kGpu);
  REQUIRE(files.size() == 2);
  CHECK(files[0].kind == "solution");
  CHECK(files[0].seconds == doctest::Approx(71.5e-6));
  CHECK(files[1].fails == "conflicts");
  auto other = kGpu; // of which nothing was measured
  other.architecture.name = "another";
  CHECK(timed_files(root, "05_transpose/2_pad", other).empty());
  std::filesystem::remove_all(root);
  CHECK(timed_files(root, "05_transpose/2_pad", kGpu).empty());
}

TEST_CASE("of an exercise that was measured there is one solution, and what it is timed with") {
  std::size_t measured = 0;
  for (const auto& exercise : exercises(COURSE_SOURCE_DIR)) {
    const auto files = timed_files(COURSE_SOURCE_DIR, exercise.id, kGpu);
    if (files.empty()) continue; // newer than the table
    ++measured;
    CHECK_MESSAGE(exercise.time.has_value(), exercise.id);
    CHECK_MESSAGE(std::ranges::count(files, "solution", &TimedFile::kind) == 1, exercise.id);
  }
  CHECK(measured >= 40);
}

} // namespace course::lab
