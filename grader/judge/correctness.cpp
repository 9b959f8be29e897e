#include "judge/correctness.hpp"

#include "judge/counts.hpp"
#include "judge/which_execution.hpp"

#include <algorithm>

namespace course::judge {
namespace {

using device::FindingKind;
using device::Observation;
using facts::Missing;

// Whether it is a matter of the check `kernel`: it did not come to its end.
bool ended_a_kernel(FindingKind kind) {
  return kind == FindingKind::budget || kind == FindingKind::trap || kind == FindingKind::stack;
}

Check failed_by(Check check, const device::Finding& finding, const Shape& shape) {
  check.status = Status::failed;
  check.place = {finding.kernel, finding.file, finding.line};
  check.shape = shape;
  check.facts = facts::Found{finding};
  return check;
}

} // namespace

// ---- kernel: it ended by itself

namespace {

std::vector<Measure> cost(const Execution& execution) {
  const auto counts = count(execution.observed);
  const auto& most = execution.bounds.cost;
  return {{"instructions", counts.instructions, 0, most.instructions},
          {"requests", counts.shared_requests() + counts.global_requests(), 0, most.requests}};
}

// The first number that is far beyond what the work needs.
std::optional<Measure> excess(const Execution& execution) {
  if (!complete(execution)) return std::nullopt;
  for (const auto& one : cost(execution))
    if (!one.holds()) return one;
  return std::nullopt;
}

} // namespace

Check check_kernel(Executions executions) {
  Check check = unmeasured(name_of(CheckKind::kernel), Missing::nothing_executed);
  for (const auto& execution : executions) {
    for (const auto& finding : execution.observed.findings)
      if (ended_a_kernel(finding.kind)) return failed_by(check, finding, execution.shape);
    if (execution.observed.status == Observation::Status::unsupported) {
      check.facts = facts::NotMeasured{Missing::kernel_not_executed, execution.observed.reason};
      return check;
    }
  }
  if (executions.empty()) return check;
  for (const auto& execution : executions) {
    if (const auto beyond = excess(execution)) {
      check.status = Status::failed;
      check.shape = execution.shape;
      check.measures = {*beyond};
      check.facts = facts::CostsTooMuch{execution.bounds.elements};
      return check;
    }
  }
  check.status = Status::passed;
  check.facts = facts::KernelEnded{};
  const auto shown = choose(executions, [](const Execution&) { return false; });
  if (shown.execution && shown.execution->bounds.cost.instructions != Measure::kNoLimit)
    check.measures = cost(*shown.execution);
  return check;
}

// ---- output: every element is right

Check check_output(Executions executions) {
  const auto wrong = [](const Execution& execution) { return !execution.output.passed(); };
  const auto shown = choose(executions, wrong);
  Check check = start(name_of(CheckKind::output), executions, shown);
  if (check.status == Status::failed && shown.execution) {
    const auto& output = shown.execution->output;
    check.measures = {{"wrong_elements", output.wrong, 0, 0}};
    check.facts = facts::OutputWrong{shown.execution->output_name, output};
  } else if (check.status == Status::passed) {
    check.measures = {{"wrong_elements", 0, 0, 0}};
    check.facts = facts::OutputRight{};
    check.shape = {};
  }
  return check;
}

// ---- memory: what the checker found, and what was changed

namespace {

// The finding to show: one that ended a kernel; else a barrier that some miss, since the races
// that it causes are often found before it; else the first.
const device::Finding* worst(const Observation& observed, Notes notes) {
  const device::Finding *first = nullptr, *barrier = nullptr;
  for (const auto& finding : observed.findings) {
    if (ended_a_kernel(finding.kind)) continue;
    if (device::is_note(finding.kind) && notes == Notes::allowed) continue;
    if (finding.fatal) return &finding;
    if (!first) first = &finding;
    if (!barrier && device::is_missed_meeting(finding.kind)) barrier = &finding;
  }
  return barrier ? barrier : first;
}

bool touches_memory(const Execution& execution) {
  const auto counts = count(execution.observed);
  return counts.shared_requests() + counts.global_requests() > 0;
}

} // namespace

Check check_memory(Executions executions) {
  return check_memory(executions, Notes::allowed);
}

Check check_memory(Executions executions, Notes notes) {
  Check check = unmeasured(name_of(CheckKind::memory), Missing::nothing_executed);
  for (const auto& execution : executions) {
    if (const auto* finding = worst(execution.observed, notes))
      return failed_by(check, *finding, execution.shape);
    if (!execution.damage.empty()) {
      check.status = Status::failed;
      check.shape = execution.shape;
      check.facts = facts::Changed{execution.damage.front()};
      return check;
    }
  }
  if (const auto reason = gap(executions)) return nothing_to_look_at(check, *reason);
  if (std::none_of(executions.begin(), executions.end(), touches_memory))
    return nothing_to_look_at(check, Missing::no_memory);
  check.status = Status::passed;
  check.facts = facts::MemoryFine{};
  return check;
}

} // namespace course::judge
