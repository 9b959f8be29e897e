#include "report/words/time_words.hpp"

#include "language/translate.hpp"
#include "report/words/check_table.hpp"
#include "report/words/ended_words.hpp"
#include "report/words/message_words.hpp"
#include "report/words/not_on_gpu_words.hpp"
#include "report/words/shape_words.hpp"

#include <fmt/format.h>

namespace course::report {
namespace {

// "35.8 us", "2.67 ms": three figures.
std::string duration(double seconds) {
  struct Unit {
    double size;
    const char* name;
  };
  constexpr Unit kUnits[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}};
  const Unit* unit = &kUnits[2];
  for (const auto& one : kUnits) {
    if (seconds < one.size) continue;
    unit = &one;
    break;
  }
  const double value = seconds / unit->size;
  return fmt::format("{:.{}f} {}", value, value < 10 ? 2 : value < 100 ? 1 : 0, unit->name);
}

std::string peer_of(const judge::Timing& timing) {
  return timing.peer == judge::Timing::Peer::copy ? trc("timed beside", "a copy")
                                                  : trc("timed beside", "the solution");
}

std::string words(const judge::Timing::Conditions& seen) {
  if (!seen.unavailable.empty()) return seen.unavailable;
  auto text = tr("SM clock {} to {} MHz, {} other processes on the GPU", seen.clock_before,
                 seen.clock_after, seen.other_processes);
  for (const auto& reason : seen.throttled) text = tr("{}, throttled: {}", text, reason);
  return text;
}

// Why there are no times, or worthless ones.
std::string words(const std::monostate&) {
  return "";
}
std::string words(const judge::Timing::NoLaunch& found) {
  const auto why = fault_words(found.why).headline;
  return found.solution ? tr("the solution: {}", why) : why;
}
std::string words(const judge::Timing::TooFew& found) {
  return tr("too few runs in {} pairs", found.pairs);
}
std::string words(const judge::NotOnGpu& found) {
  return not_on_gpu_words(found);
}
std::string words(const device::Message& found) {
  return in_words(found);
}

std::string both_times(const judge::Timing& timing) {
  const auto text =
      tr("{} against {} of {} for {}; the ratio is {:.3f} to {:.3f} by {} pairs of runs",
         duration(timing.seconds), duration(timing.of_peer), peer_of(timing), called(timing.shape),
         timing.low, timing.high, timing.pairs);
  return timing.conditions ? text + "; " + words(*timing.conditions) : text;
}

// "conflicts", "coalescing, traffic"
std::string names_of(const std::vector<std::string>& checks) {
  std::string text;
  for (const auto& name : checks)
    text = text.empty() ? check_name(name) : trc("a list", "{}, {}", text, check_name(name));
  return text;
}

// Which part is busy for so long, and with what.
std::string busiest(const judge::facts::LeastTime& least) {
  const double most = least.most();
  if (most == least.memory) return tr("to move its arrays once");
  if (most == least.passes) return tr("for the passes of shared memory");
  if (most == least.sectors) return tr("for its sectors of global memory");
  return tr("to issue its instructions");
}

// "an H200", "a B200": as its first letter is said.
std::string one_of(const std::string& model) {
  const bool vowel =
      std::string_view("AEFHILMNORSX8").find(model.front()) != std::string_view::npos;
  return vowel ? tr("an {}", model) : tr("a {}", model);
}

} // namespace

CheckWords time_words(const judge::facts::Timed& found) {
  using Outcome = judge::facts::Timed::Outcome;
  const auto& timing = found.timing;
  const auto limit = fmt::format("{:.2f}", timing.limit);
  switch (found.outcome) {
  case Outcome::invalid:
    return {std::visit([](const auto& why) { return words(why); }, timing.invalid), "", "", ""};
  case Outcome::wrong:
    return {tr("a timed run was wrong"), "", limit,
            tr("{} of {} elements were wrong after a timed run for {}", timing.wrong->wrong,
               timing.wrong->elements, called(timing.shape))};
  case Outcome::too_fast:
    return {tr("{}, faster than memory", duration(timing.seconds)), "", limit,
            tr("the bytes take {} to move, however it is done, and a run took {}: they were not "
               "all moved",
               duration(timing.floor), duration(timing.seconds))};
  case Outcome::too_close:
    return {tr("too close to call, {:.3f} to {:.3f} times {} with a limit of {}", timing.low,
               timing.high, peer_of(timing), limit),
            "", "", both_times(timing), true};
  case Outcome::judged:
    break;
  }
  return {tr("{}, {:.2f} times {}", duration(timing.seconds), timing.ratio, peer_of(timing)), "",
          limit, both_times(timing), true};
}

CheckWords time_words(const judge::facts::Untimed& found) {
  auto text = tr("for {}, {} took {} with the course's solution", called(found.shape),
                 one_of(found.gpu), duration(found.of_solution));
  for (const auto& others : found.others) {
    const auto low = duration(others.low), high = duration(others.high);
    text = tr("{}, {} with one that fails {}", text, low == high ? low : tr("{} to {}", low, high),
              names_of(others.checks));
  }
  if (found.least)
    text = tr("{}. Yours was not timed; by its counts it needs {} there or more, {}", text,
              duration(found.least->most()), busiest(*found.least));
  return {found.other_gpu ? tr("needs another GPU") : tr("needs a GPU"), "", "", text, true};
}

} // namespace course::report
