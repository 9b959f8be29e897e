#include "judge/time.hpp"

#include "judge/limits.hpp"
#include "judge/shown.hpp"

#include <cmath>
#include <cstdio>

namespace course::judge {
namespace {

std::string decimals(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

// "35.8 us", "2.67 ms": three figures.
std::string duration(double seconds) {
  struct Unit {
    double size;
    const char* name;
  };
  constexpr Unit kUnits[] = {{1, " s"}, {1e-3, " ms"}, {1e-6, " us"}};
  const Unit* unit = &kUnits[2];
  for (const auto& one : kUnits) {
    if (seconds < one.size) continue;
    unit = &one;
    break;
  }
  const double value = seconds / unit->size;
  return decimals(value, value < 10 ? 2 : value < 100 ? 1 : 0) + unit->name;
}

std::string times_of(const std::string& peer, double ratio, int digits) {
  return decimals(ratio, digits) + " times " + peer;
}

std::string sentence(const Timing& timing) {
  auto text = duration(timing.seconds) + " against " + duration(timing.of_peer) + " of " +
              timing.peer + " for " + timing.shape + "; the ratio is " + decimals(timing.low, 3) +
              " to " + decimals(timing.high, 3) + " by " + std::to_string(timing.pairs) +
              " pairs of runs";
  if (!timing.conditions.empty()) text += "; " + timing.conditions;
  return text;
}

std::uint64_t thousandths(double ratio) {
  const double scaled = std::round(ratio * 1000);
  return scaled > 0 && scaled < 1e15 ? static_cast<std::uint64_t>(scaled) : 0;
}

} // namespace

Call call(const Timing& timing) {
  if (timing.high <= timing.limit) return Call::below;
  return timing.low > timing.limit ? Call::above : Call::too_close;
}

Check check_time(const Timing& timing) {
  if (!timing.invalid.empty()) {
    auto check = unmeasured("time", timing.invalid);
    check.shape = timing.shape;
    return check;
  }
  Check check;
  check.name = "time";
  check.shape = timing.shape;
  check.limit = decimals(timing.limit, 2);
  check.message = sentence(timing);
  check.measures = {
      {"ratio_thousandths", thousandths(timing.ratio), 0, thousandths(timing.limit)},
      {"nanoseconds", static_cast<std::uint64_t>(std::llround(timing.seconds * 1e9))}};
  check.observed = duration(timing.seconds) + ", " + times_of(timing.peer, timing.ratio, 2);
  if (!timing.wrong.empty()) {
    check.status = Status::failed;
    check.observed = "a timed run was wrong";
    check.message = timing.wrong;
    return check;
  }
  if (timing.seconds < timing.floor) {
    check.status = Status::failed;
    check.observed = duration(timing.seconds) + ", faster than memory";
    check.message = "the bytes take " + duration(timing.floor) +
                    " to move, however it is done, and a run took " + duration(timing.seconds) +
                    ": they were not all moved";
    return check;
  }
  switch (call(timing)) {
  case Call::below:
    check.status = Status::passed;
    break;
  case Call::above:
    check.status = Status::failed;
    break;
  case Call::too_close: {
    const auto measures = check.measures;
    const auto message = check.message;
    check = impossible("time", "too close to call, " + decimals(timing.low, 3) + " to " +
                                   times_of(timing.peer, timing.high, 3) + " with a limit of " +
                                   decimals(timing.limit, 2));
    check.shape = timing.shape;
    check.measures = measures;
    check.message = message;
    break;
  }
  }
  return check;
}

} // namespace course::judge
