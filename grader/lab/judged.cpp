#include "lab/judged.hpp"

#include "judge/correctness.hpp"
#include "judge/known_checks.hpp"
#include "judge/limits.hpp"
#include "judge/way.hpp"
#include "judge/which_execution.hpp"
#include "lab/time_check.hpp"

#include <algorithm>

namespace course::lab {
namespace {

using judge::CheckKind;
using judge::Ending;
using judge::Status;
using judge::facts::Missing;

judge::Check stage(CheckKind kind, Status status, judge::Facts found = {}) {
  judge::Check check;
  check.name = judge::name_of(kind);
  check.status = status;
  check.facts = std::move(found);
  return check;
}

Status status_of(bool passed) {
  return passed ? Status::passed : Status::not_measured;
}

// The steps that come before anything is graded: worth no points, needed for all.
std::vector<judge::Check> stage_checks(const Evidence& found) {
  const auto ending = found.stop ? judge::ending_of(found.stop->how) : Ending::passed;
  const auto fails = [&](CheckKind kind) {
    return stage(kind, Status::failed, judge::facts::Ended{found.stop->how});
  };
  const bool recorded = found.host.launch || !found.executions.empty();
  const bool compiles = ending != Ending::did_not_compile && ending != Ending::set_up;
  std::vector<judge::Check> checks;
  checks.push_back(ending == Ending::did_not_compile
                       ? fails(CheckKind::compile)
                       : stage(CheckKind::compile, status_of(compiles)));
  if (compiles && found.stop && ending != Ending::not_measurable) {
    checks.push_back(fails(CheckKind::host));
  } else {
    checks.push_back(stage(CheckKind::host, status_of(compiles && !found.stop && recorded)));
  }
  const bool returned = checks.back().status == Status::passed && found.host.launch;
  checks.push_back(returned ? *found.host.launch : stage(CheckKind::launch, Status::not_measured));
  return checks;
}

judge::Check graded(const std::string& name, const Grading& grading, const Evidence& found) {
  const auto& executions = found.executions;
  const auto kind = judge::check_kind(name);
  if (kind == CheckKind::memory && grading.exercise.one_writer)
    return judge::check_memory(executions, judge::Notes::forbidden);
  if (auto check = judge::check_known(kind, executions)) return std::move(*check);
  return judge::unmeasured(name, Missing::unknown_number);
}

// Or the one that it is worth points with.
bool is_unlimited(const Graded& wanted, const Evidence& found) {
  return std::ranges::any_of(found.unlimited, [&](const std::string& name) {
    return name == wanted.check || name == wanted.pair;
  });
}

// Executions end where a launch is refused or host code ends: what is missing then is no pass.
void withdraw(judge::Check& check, Missing why) {
  if (check.status == Status::passed) check = judge::nothing_to_look_at(std::move(check), why);
}

// Whether something was not executed that should have been.
bool is_cut(const Evidence& found) {
  const auto& launch = found.host.launch;
  return found.stop || (launch && launch->status == Status::failed);
}

judge::Check measured(const Graded& wanted, const Grading& grading, const Evidence& found,
                      const std::vector<judge::Check>& before) {
  if (is_unlimited(wanted, found)) return judge::impossible(wanted.check, Missing::no_solution);
  if (wanted.own) return wanted.own(found.executions);
  if (judge::check_kind(wanted.check) == CheckKind::time) return time_check(grading, found, before);
  return graded(wanted.check, grading, found);
}

// With what the exercise says of it.
judge::Check as_asked(judge::Check check, const Graded& wanted, const Exercise& exercise) {
  check.max_points = wanted.points;
  check.pair = wanted.pair;
  const auto question = exercise.questions.find(wanted.check);
  if (question != exercise.questions.end()) check.question = question->second;
  return check;
}

} // namespace

std::vector<judge::Check> judged(const Grading& grading, const Evidence& found) {
  const auto& executions = found.executions;
  auto checks = stage_checks(found);
  checks.push_back(judge::check_kernel(executions));
  if (is_cut(found)) withdraw(checks.back(), Missing::launch_missing);
  const bool too_much = checks.back().status == Status::failed;
  for (const auto& wanted : grading.exercise.checks) {
    auto check = measured(wanted, grading, found, checks);
    if (wanted.check == grading.exercise.way_check)
      check = judge::with_way(std::move(check), executions);
    if (is_cut(found)) withdraw(check, Missing::launch_missing);
    // Of a kernel that takes many times the work, what is left to judge is whether it is right.
    const auto kind = judge::check_kind(wanted.check);
    if (too_much && judge::known(kind).part != judge::KnownCheck::Part::right)
      withdraw(check, Missing::kernel_first);
    if (kind == CheckKind::output && check.status == Status::failed)
      check.right_in_another_order = check.shape == found.unordered_shape;
    checks.push_back(as_asked(std::move(check), wanted, grading.exercise));
  }
  return checks;
}

std::vector<judge::Check> mentioned(const Grading& grading, const Evidence& found) {
  std::vector<judge::Check> failed;
  for (const auto& name : grading.exercise.mentioned) {
    auto check = graded(name, grading, found);
    if (check.status == Status::failed) failed.push_back(std::move(check));
  }
  return failed;
}

} // namespace course::lab
