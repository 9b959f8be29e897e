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

Check unless_uncertain(Check check, Executions executions,
                       const std::function<std::vector<Measure>(const Execution&)>& measures) {
  if (check.status != Status::passed) return check;
  for (const auto& execution : executions) {
    const auto all = measures(execution);
    if (std::all_of(all.begin(), all.end(), [](const Measure& one) { return one.known(); }))
      continue;
    check.status = Status::not_measured;
    check.shape = execution.shape;
    check.observed = "not certain";
    const bool within = std::all_of(all.begin(), all.end(),
                                    [](const Measure& one) { return one.value <= one.high; });
    const auto& rows = execution.observed.lines;
    const auto row = std::find_if(rows.begin(), rows.end(), [=](const device::LineCounts& line) {
      return within ? line.at_least : !line.width_from_sass;
    });
    if (row == rows.end()) {
      check.message = "what the compiler made of some shuffles is not known, and the limit would "
                      "rest on them";
      return check;
    }
    check.place = {row->kernel, row->file, row->line};
    check.observed += on_line(check.place);
    check.message = row->at_least
                        ? "warps try again while others change the same word, so a GPU counts "
                          "more, and each time another number; no limit can rest on that"
                        : "what the compiler made of an access is not known for certain, and the "
                          "limit would rest on it";
    return check;
  }
  return check;
}

std::string on_line(const Place& place) {
  return place.line ? ", on line " + std::to_string(place.line) : "";
}

} // namespace course::judge
