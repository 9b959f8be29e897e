#include "judge/least_time.hpp"

#include "device/model/known_gpus.hpp"

#include <doctest/doctest.h>

namespace course::judge {
namespace {

constexpr model::Rates kSlow = {.cycles_a_second = 100,
                                .multiprocessors = 2,
                                .instructions = 4,
                                .passes = 1,
                                .loaded_sectors = 4,
                                .stored_sectors = 0.5,
                                .memory = 1000};

} // namespace

TEST_CASE("each part is busy for its work at its rate, and the busiest is the limit") {
  const auto least = least_time({800, 600, 400, 50, 500}, kSlow);
  CHECK(least.instructions == doctest::Approx(1));
  CHECK(least.passes == doctest::Approx(3));
  CHECK(least.sectors == doctest::Approx(0.5)); // loads and stores alike
  CHECK(least.memory == doctest::Approx(0.5));
  CHECK(least.most() == doctest::Approx(3));
  CHECK(least_time({0, 0, 0, 200, 0}, kSlow).sectors == doctest::Approx(2));
}

TEST_CASE("work is what was counted, and of atomics what they take whatever the values are") {
  Counts counts;
  counts.instructions = 7;
  counts.shared_loads.wavefronts = 1;
  counts.shared_stores.wavefronts = 2;
  counts.shared_atomics.wavefronts = 40;
  counts.shared_atomics.ideal = 4;
  counts.global_loads.sectors = 8;
  counts.global_stores.sectors = 16;
  const auto work = work_of(counts);
  CHECK(work.instructions == 7);
  CHECK(work.passes == 7);
  CHECK(work.loaded_sectors == 8);
  CHECK(work.stored_sectors == 16);
}

TEST_CASE(
    "a naive transpose of 4096 x 4096 floats is bound by its stores, near what was measured") {
  const double floats = 4096.0 * 4096;
  const auto least =
      least_time({16 * floats / 32, 0, floats / 8, floats, 8 * floats}, model::default_gpu().rates);
  CHECK(least.most() == least.sectors);
  CHECK(least.most() > 110e-6);
  CHECK(least.most() < 131.6e-6); // book/data/h200/experiments.csv
}

} // namespace course::judge
