#include "device/gpu/timing.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <set>

namespace course::gpu {
namespace {

// A GPU that needs no GPU: a clock that moves as told.
struct Fake : PairRunner {
  double student = 40e-6, peer = 40e-6; // by the device
  double overhead = 100e-6;             // of a run, by the caller's clock
  double preparing = 200e-6;
  double clock = 1000;
  std::function<std::optional<std::string>(Side, std::size_t run)> fault;
  std::function<std::uint64_t(std::size_t comparison)> wrong; // elements
  std::vector<std::pair<Side, std::uint64_t>> prepared;
  std::size_t runs = 0, reads = 0, comparisons = 0;
  std::uint64_t students = 0, read_of = 0; // seeds

  std::optional<std::string> prepare(Side side, std::uint64_t seed) override {
    clock += preparing;
    prepared.push_back({side, seed});
    if (side == Side::student) students = seed;
    return {};
  }
  std::variant<double, std::string> run(Side side) override {
    if (fault) {
      if (auto error = fault(side, runs)) return *error;
    }
    ++runs;
    const double seconds = side == Side::student ? student : peer;
    clock += seconds + overhead;
    return seconds;
  }
  std::variant<Different, std::string> compare(std::uint64_t seed) override {
    CHECK(seed == students);
    const auto comparison = comparisons++;
    return Different{wrong ? wrong(comparison) : 0, 3};
  }
  std::variant<device::Bytes, std::string> read() override {
    ++reads;
    read_of = students;
    return device::Bytes(7);
  }
  double now() override { return clock; }
};

} // namespace

TEST_CASE("the sides take turns at going first, on the same inputs") {
  Fake fake;
  TimingOptions options;
  options.warm_up_seconds = 0;
  options.warm_up_pairs = 0;
  time_pairs(fake, options);
  REQUIRE(fake.prepared.size() >= 12);
  const Side turns[] = {Side::student, Side::peer, Side::peer, Side::student};
  for (std::size_t i = 0; i < 12; ++i) {
    CHECK(fake.prepared[i].first == turns[i % 4]);
    CHECK(fake.prepared[i].second == fake.prepared[i / 2 * 2].second);
  }
}

TEST_CASE("no two pairs have the same inputs, those that warm up among them") {
  Fake fake;
  time_pairs(fake, {});
  std::set<std::uint64_t> seeds;
  for (const auto& [side, seed] : fake.prepared) seeds.insert(seed);
  CHECK(fake.prepared.size() > 500);
  CHECK(seeds.size() == (fake.prepared.size() + 1) / 2);
}

TEST_CASE("every measured pair's outputs are compared, and one that differs is the last") {
  Fake fake;
  const Timed right = time_pairs(fake, {});
  CHECK(fake.comparisons == right.student.size());
  CHECK_FALSE(right.different);

  Fake wrong;
  wrong.wrong = [](std::size_t comparison) { return comparison == 17 ? 5 : 0; };
  const Timed timed = time_pairs(wrong, {});
  REQUIRE(timed.different);
  CHECK(timed.different->elements == 5);
  CHECK(timed.student.size() == 18);
  CHECK(timed.error.empty());
}

TEST_CASE("warm-up lasts its time and is not among the times") {
  Fake fake;
  TimingOptions options;
  options.warm_up_seconds = 0.5;
  options.fewest_seconds = 0;
  const Timed timed = time_pairs(fake, options);
  CHECK(timed.student.size() == 30);
  CHECK(timed.peer.size() == 30);
  CHECK(fake.runs > 60 + 1000); // half a second at 340 us a run
}

TEST_CASE("there are thirty pairs at least, and as many as hold the minimum of time") {
  TimingOptions options;
  options.warm_up_seconds = 0;
  Fake slow;
  slow.student = slow.peer = 0.01;
  CHECK(time_pairs(slow, options).student.size() == 30);
  Fake fast;
  fast.student = fast.peer = 100e-6;
  const auto pairs = time_pairs(fast, options).student.size();
  CHECK(pairs >= 500);
  CHECK(pairs <= 501);
  Fake tiny;
  tiny.student = tiny.peer = 1e-6;
  CHECK(time_pairs(tiny, options).student.size() == options.most_pairs);
}

TEST_CASE("the ratio and the medians are those of the runs") {
  Fake fake;
  fake.student = 60e-6;
  const Timed timed = time_pairs(fake, {});
  CHECK(timed.error == "");
  CHECK(timed.suspicion == "");
  REQUIRE(timed.ratio);
  CHECK(timed.ratio->ratio == doctest::Approx(1.5));
  CHECK(timed.student_median == 60e-6);
  CHECK(timed.peer_median == 40e-6);
}

TEST_CASE("one run more of the student's, with the inputs of the seed itself, is read") {
  Fake fake;
  TimingOptions options;
  options.seed = 77;
  const Timed timed = time_pairs(fake, options);
  CHECK(fake.reads == 1);
  CHECK(fake.read_of == 77);
  REQUIRE(timed.checked);
  CHECK(timed.checked->size() == 7);
  CHECK(fake.prepared.back() == std::pair{Side::student, std::uint64_t{77}});
  CHECK(fake.comparisons == timed.student.size());
}

TEST_CASE("a run that fails ends it, and its side is named") {
  Fake fake;
  fake.fault = [](Side side, std::size_t run) -> std::optional<std::string> {
    if (side == Side::peer && run > 2000) return "boom";
    return {};
  };
  const Timed timed = time_pairs(fake, {});
  CHECK(timed.error == "boom");
  REQUIRE(timed.error_of);
  CHECK(*timed.error_of == Side::peer);
}

TEST_CASE("a time of zero, or none, is an error and not a record") {
  Fake fake;
  fake.student = 0;
  const Timed timed = time_pairs(fake, {});
  CHECK(timed.error != "");
  CHECK_FALSE(timed.ratio);
}

TEST_CASE("a time longer than the caller saw cannot be") {
  Fake fake;
  fake.overhead = -30e-6;
  CHECK(time_pairs(fake, {}).suspicion.find("cannot be") != std::string::npos);
}

TEST_CASE("runs that take far longer than they say are suspicious, a hiccup is not") {
  Fake liar;
  liar.overhead = 0.02;
  CHECK(time_pairs(liar, {}).suspicion.find("not only once") != std::string::npos);

  struct Hiccup : Fake {
    std::variant<double, std::string> run(Side side) override {
      if (runs % 400 == 100) clock += 0.05;
      return Fake::run(side);
    }
  } hiccup;
  hiccup.student = hiccup.peer = 1e-3;
  CHECK(time_pairs(hiccup, {}).suspicion == "");
}

TEST_CASE("it stops at the longest time, and says so") {
  Fake fake;
  fake.student = fake.peer = 0.5;
  TimingOptions options;
  options.longest_seconds = 10;
  const Timed timed = time_pairs(fake, options);
  CHECK(timed.ended_early);
  CHECK(timed.checked);
  CHECK(timed.student.size() < 30);
  CHECK(fake.clock < 1000 + 12);
}

TEST_CASE("the floor counts what must be read, and what does not fit in L2 of what is written") {
  TimingOptions options;
  options.bytes_read = 4'000'000;
  options.bytes_written = 4'000'000;
  CHECK(floor_seconds(options, 4e12, 1'000'000) == doctest::Approx(7e6 / 4e12));
  CHECK(floor_seconds(options, 4e12, 60'000'000) == doctest::Approx(1e-6));
  CHECK(floor_seconds(options, 0, 0) == 0);
}

} // namespace course::gpu
