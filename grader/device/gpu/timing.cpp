#include "device/gpu/timing.hpp"

#include "device/gpu/variation.hpp"

#include <algorithm>
#include <cmath>

namespace course::gpu {
namespace {

class Session {
public:
  Session(PairRunner& runner, const TimingOptions& options)
      : runner_(runner), options_(options), start_(runner.now()) {}

  Timed run() {
    warm_up() && measure() && look();
    result_.student_median = median(result_.student);
    result_.peer_median = median(result_.peer);
    result_.ratio = paired_ratio(result_.student, result_.peer, options_.confidence);
    return std::move(result_);
  }

private:
  bool warm_up() {
    for (std::uint32_t pair = 0;; ++pair) {
      const double passed = runner_.now() - start_;
      if (pair >= options_.warm_up_pairs && passed >= options_.warm_up_seconds) return true;
      if (passed > options_.longest_seconds) return out_of_time();
      const auto seed = seed_of_pair(options_.seed, kWarmUp + pair);
      if (!one(Side::student, seed) || !one(Side::peer, seed)) return false;
    }
  }

  bool measure() {
    double total = 0;
    for (std::uint32_t pair = 0; pair < std::max(options_.most_pairs, options_.fewest_pairs);
         ++pair) {
      if (pair >= options_.fewest_pairs && total >= options_.fewest_seconds) return true;
      if (runner_.now() - start_ > options_.longest_seconds) {
        out_of_time();
        return true;
      }
      const auto seed = seed_of_pair(options_.seed, pair);
      const Side first = pair % 2 == 0 ? Side::student : Side::peer;
      const Side second = first == Side::student ? Side::peer : Side::student;
      for (const Side side : {first, second}) {
        const auto seconds = one(side, seed);
        if (!seconds) return false;
        (side == Side::student ? result_.student : result_.peer).push_back(*seconds);
      }
      total += result_.student.back();
      if (!compare(seed)) return false;
    }
    return true;
  }

  std::optional<double> one(Side side, std::uint64_t seed) {
    if (auto error = runner_.prepare(side, seed)) return failed(side, *error);
    const double before = runner_.now();
    const auto ran = runner_.run(side);
    const double wall = runner_.now() - before;
    if (const auto* error = std::get_if<std::string>(&ran)) return failed(side, *error);
    const double seconds = std::get<double>(ran);
    if (!(seconds > 0) || !std::isfinite(seconds))
      return failed(side, "a run took no time that can be: " + std::to_string(seconds) + " s");
    compare_clocks(side, seconds, wall);
    return seconds;
  }

  // The run holds a flush of L2 and a round trip to the worker besides: up to a few milliseconds,
  // on a busy machine once in a while more. A run that is longer than its time says by much more
  // than that, or shorter, was not timed by an honest clock.
  void compare_clocks(Side side, double seconds, double wall) {
    constexpr double kOverhead = 0.005;
    const char* whose = side == Side::student ? "student's" : "peer's";
    const auto text = [&](const char* how) {
      return std::string("a run of the ") + whose + " took " + std::to_string(seconds * 1e3) +
             " ms by the GPU and " + std::to_string(wall * 1e3) + " ms by the grader's clock, " +
             how;
    };
    if (seconds > wall + 1e-5) {
      result_.suspicion = text("which cannot be");
    } else if (wall > 2 * seconds + kOverhead) {
      if (++slow_runs_ > 5) result_.suspicion = text("and not only once");
    }
  }

  // One run more, which no kernel can tell from the others. Should one of them have changed what
  // the inputs are restored from, the solution was wrong with it; here it shows.
  bool look() {
    if (!one(Side::student, options_.seed)) return false;
    auto output = runner_.read();
    if (auto* error = std::get_if<std::string>(&output)) {
      failed(Side::student, *error);
      return false;
    }
    result_.checked = std::move(std::get<device::Bytes>(output));
    return true;
  }

  bool compare(std::uint64_t seed) {
    const auto compared = runner_.compare(seed);
    if (const auto* error = std::get_if<std::string>(&compared)) {
      failed(Side::peer, *error);
      return false;
    }
    const auto different = std::get<Different>(compared);
    if (different.elements == 0) return true;
    result_.different = different;
    return false;
  }

  std::optional<double> failed(Side side, const std::string& error) {
    result_.error = error;
    result_.error_of = side;
    return {};
  }
  bool out_of_time() {
    result_.ended_early = true;
    return false;
  }

  static constexpr std::uint64_t kWarmUp = 1ull << 32; // pairs from here on are not measured

  PairRunner& runner_;
  const TimingOptions& options_;
  double start_;
  int slow_runs_ = 0;
  Timed result_;
};

} // namespace

Timed time_pairs(PairRunner& runner, const TimingOptions& options) {
  return Session(runner, options).run();
}

double floor_seconds(const TimingOptions& options, double bytes_per_second,
                     std::uint64_t l2_bytes) {
  if (!(bytes_per_second > 0)) return 0;
  const std::uint64_t written =
      options.bytes_written > l2_bytes ? options.bytes_written - l2_bytes : 0;
  return static_cast<double>(options.bytes_read + written) / bytes_per_second;
}

} // namespace course::gpu
