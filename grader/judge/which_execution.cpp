#include "judge/which_execution.hpp"

#include <algorithm>

namespace course::judge {

using facts::Missing;

namespace {

using device::FindingKind;

bool strays(const device::Finding& finding) {
  return finding.kind == FindingKind::out_of_bounds || finding.kind == FindingKind::misaligned ||
         finding.kind == FindingKind::use_after_free || finding.kind == FindingKind::read_only;
}

bool strays(const Execution& execution) {
  const auto& findings = execution.observed.findings;
  return std::any_of(findings.begin(), findings.end(),
                     [](const device::Finding& finding) { return strays(finding); });
}

} // namespace

bool complete(const Execution& execution) {
  return execution.observed.status == device::Observation::Status::completed && !strays(execution);
}

std::optional<Missing> gap(Executions executions) {
  if (executions.empty()) return Missing::nothing_executed;
  for (const auto& execution : executions) {
    if (strays(execution)) return Missing::memory_first;
    if (execution.observed.status == device::Observation::Status::failed)
      return Missing::kernel_ended;
    if (!complete(execution)) return Missing::kernel_not_executed;
  }
  return std::nullopt;
}

Check unmeasured(const std::string& name, Missing why) {
  Check check;
  check.name = name;
  check.facts = facts::NotMeasured{why, {}};
  return check;
}

Check start(const std::string& name, Executions executions, const Shown& shown) {
  Check check;
  check.name = name;
  if (shown.execution) check.shape = shown.execution->shape;
  const auto reason = gap(executions);
  if (shown.fails) {
    check.status = Status::failed;
  } else if (reason) {
    check.facts = facts::NotMeasured{*reason, {}};
  } else {
    check.status = Status::passed;
  }
  return check;
}

Check nothing_to_look_at(Check check, Missing why) {
  check.status = Status::not_measured;
  check.facts = facts::NotMeasured{why, {}};
  check.measures.clear();
  return check;
}

Check unless_uncertain(Check check, Executions executions,
                       const std::function<std::vector<Measure>(const Execution&)>& measures,
                       const Share& share) {
  if (check.status != Status::passed) return check;
  for (const auto& execution : executions) {
    const auto all = measures(execution);
    const auto unknown =
        std::find_if(all.begin(), all.end(), [](const Measure& one) { return !one.known(); });
    if (unknown == all.end()) continue;
    check.status = Status::not_measured;
    check.shape = execution.shape;
    const bool within = unknown->value <= unknown->high; // but a GPU may count more
    const auto place = static_cast<std::size_t>(unknown - all.begin());
    const device::LineCounts* row = nullptr;
    std::optional<std::uint64_t> most; // nothing is less than 0
    for (const auto& line : execution.observed.lines) {
      const bool uncertain = within ? line.at_least : !line.width_from_sass;
      const auto adds = share && uncertain ? share(line, place) : std::nullopt;
      if (adds <= most) continue;
      most = adds;
      row = &line;
    }
    if (!row) {
      check.facts = facts::NotKnown{facts::Uncertain::shuffles};
      return check;
    }
    check.place = {row->kernel, row->file, row->line};
    check.facts = facts::NotKnown{within ? facts::Uncertain::retries : facts::Uncertain::accesses};
    return check;
  }
  return check;
}

} // namespace course::judge
