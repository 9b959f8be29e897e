#include "judge/shown.hpp"

#include <algorithm>

namespace course::judge {
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

const char* gap(Executions executions) {
  if (executions.empty()) return "nothing was executed";
  for (const auto& execution : executions) {
    if (strays(execution)) return "memory comes first";
    if (execution.observed.status == device::Observation::Status::failed)
      return "the kernel was ended";
    if (!complete(execution)) return "the kernel could not be executed";
  }
  return nullptr;
}

Check unmeasured(const std::string& name, const std::string& why) {
  Check check;
  check.name = name;
  check.observed = why;
  return check;
}

Check start(const std::string& name, Executions executions, const Shown& shown) {
  Check check;
  check.name = name;
  if (shown.execution) check.shape = shown.execution->shape;
  const char* reason = gap(executions);
  if (shown.fails) {
    check.status = Status::failed;
  } else if (reason) {
    check.observed = reason;
  } else {
    check.status = Status::passed;
  }
  return check;
}

Check nothing_to_look_at(Check check, const std::string& why) {
  check.status = Status::not_measured;
  check.observed = why;
  check.measures.clear();
  return check;
}

std::string on_line(const Place& place) {
  return place.line ? ", on line " + std::to_string(place.line) : "";
}

} // namespace course::judge
