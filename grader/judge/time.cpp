#include "judge/time.hpp"

#include <cmath>

namespace course::judge {
namespace {

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
  using Outcome = facts::Timed::Outcome;
  Check check;
  check.name = name_of(CheckKind::time);
  check.shape = timing.shape;
  const auto ended = [&](Status status, Outcome outcome) {
    check.status = status;
    check.facts = facts::Timed{outcome, timing};
    return check;
  };
  if (!timing.is_valid()) return ended(Status::not_measured, Outcome::invalid);
  check.measures = {
      {"ratio_thousandths", thousandths(timing.ratio), 0, thousandths(timing.limit)},
      {"nanoseconds", static_cast<std::uint64_t>(std::llround(timing.seconds * 1e9))}};
  if (timing.wrong) return ended(Status::failed, Outcome::wrong);
  if (timing.seconds < timing.floor) return ended(Status::failed, Outcome::too_fast);
  switch (call(timing)) {
  case Call::below:
    return ended(Status::passed, Outcome::judged);
  case Call::above:
    return ended(Status::failed, Outcome::judged);
  case Call::too_close:
    break;
  }
  check.possible = false;
  return ended(Status::not_measured, Outcome::too_close);
}

} // namespace course::judge
