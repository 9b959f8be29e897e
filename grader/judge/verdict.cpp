#include "judge/verdict.hpp"

#include <algorithm>

namespace course::judge {

const char* name(Status status) {
  switch (status) {
  case Status::passed:
    return "passed";
  case Status::failed:
    return "failed";
  case Status::not_measured:
    return "not_measured";
  }
  return "?";
}

const char* name(Ending ending) {
  switch (ending) {
  case Ending::passed:
    return "passed";
  case Ending::failed:
    return "failed";
  case Ending::did_not_compile:
    return "did_not_compile";
  case Ending::crashed:
    return "crashed";
  case Ending::timed_out:
    return "timed_out";
  case Ending::not_measurable:
    return "not_measurable";
  case Ending::set_up:
    return "set_up";
  }
  return "?";
}

const Check* find(const std::vector<Check>& checks, const std::string& name) {
  const auto at = std::find_if(checks.begin(), checks.end(),
                               [&](const Check& check) { return check.name == name; });
  return at == checks.end() ? nullptr : &*at;
}

const Check* find(const std::vector<Check>& checks, CheckKind kind) {
  return find(checks, name_of(kind));
}

bool tells_less_time(const Verdict& verdict) {
  const auto* time = find(verdict.checks, CheckKind::time);
  if (!time) return false;
  if (const auto* timed = std::get_if<facts::Timed>(&time->facts))
    return timed->timing.is_valid() && timed->timing.seconds < timed->timing.of_peer;
  const auto* untimed = std::get_if<facts::Untimed>(&time->facts);
  return untimed && std::ranges::any_of(untimed->others, [&](const auto& others) {
           return others.low < untimed->of_solution;
         });
}

const Check* first_failed(const std::vector<Check>& checks) {
  const auto at = std::find_if(checks.begin(), checks.end(),
                               [](const Check& check) { return check.status == Status::failed; });
  return at == checks.end() ? nullptr : &*at;
}

const Check* awaited(const Verdict& verdict, const Check& check) {
  if (verdict.ending == Ending::not_measurable) return nullptr;
  if (check.status != Status::passed || check.max_points == 0) return nullptr;
  const auto& checks = verdict.checks;
  const Check* first = nullptr;
  // A pair of a pair, and so on; no more of them than there are checks.
  const auto* at = find(checks, check.pair);
  for (std::size_t i = 0; i < checks.size() && at && at->status != Status::passed; ++i) {
    first = at;
    if (at->status == Status::failed) break;
    at = find(checks, at->pair);
  }
  return first;
}

void settle(Verdict& verdict) {
  const auto passed = [&](const std::string& name) {
    const auto* check = find(verdict.checks, name);
    return check && check->status == Status::passed;
  };
  verdict.points = verdict.max_points = 0;
  const bool counts = verdict.ending != Ending::not_measurable;
  bool all = !verdict.checks.empty();
  for (auto& check : verdict.checks) {
    if (!check.possible) continue;
    const bool earned =
        counts && check.status == Status::passed && (check.pair.empty() || passed(check.pair));
    check.points = earned ? check.max_points : 0;
    verdict.points += check.points;
    verdict.max_points += check.max_points;
    all = all && check.status == Status::passed;
  }
  if (verdict.ending == Ending::passed || verdict.ending == Ending::failed) {
    verdict.ending = all ? Ending::passed : Ending::failed;
  }
}

} // namespace course::judge
