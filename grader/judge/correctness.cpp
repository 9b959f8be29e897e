#include "judge/correctness.hpp"

#include "judge/counts.hpp"
#include "judge/numbers.hpp"
#include "judge/shown.hpp"

#include <algorithm>

namespace course::judge {
namespace {

using device::FindingKind;
using device::Observation;

Place place(const device::Finding& finding) {
  return {finding.kernel, finding.file, finding.line};
}

// Of a kernel that did not come to its end; nullptr for what is a matter of the check `memory`.
const char* how_it_ended(FindingKind kind) {
  switch (kind) {
  case FindingKind::budget:
    return "did not end";
  case FindingKind::trap:
    return "stopped itself";
  case FindingKind::stack:
    return "used up its stack";
  default:
    return nullptr;
  }
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

void fail(Check& check, const Measure& excess, const Execution& execution) {
  const auto what =
      counted(excess.value, excess.what == "requests" ? "request to memory" : "instruction",
              excess.what == "requests" ? "requests to memory" : "");
  check.status = Status::failed;
  check.shape = execution.shape;
  check.measures = {excess};
  check.observed = what;
  check.limit = thousands(excess.high);
  check.message = "its warps take " + what + " for " +
                  counted(execution.bounds.elements, "element") + "; " + thousands(excess.high) +
                  " are already many times what the work needs";
}

} // namespace

Check check_kernel(Executions executions) {
  Check check = unmeasured("kernel", "nothing was executed");
  for (const auto& execution : executions) {
    for (const auto& finding : execution.observed.findings) {
      const char* ended = how_it_ended(finding.kind);
      if (!ended) continue;
      check.status = Status::failed;
      check.place = place(finding);
      check.shape = execution.shape;
      check.observed = ended + on_line(check.place);
      check.message = finding.message;
      return check;
    }
    if (execution.observed.status == Observation::Status::unsupported) {
      check.observed = "the kernel could not be executed";
      check.message = execution.observed.reason;
      return check;
    }
  }
  if (executions.empty()) return check;
  for (const auto& execution : executions) {
    if (const auto beyond = excess(execution)) {
      fail(check, *beyond, execution);
      return check;
    }
  }
  check.status = Status::passed;
  check.observed = "ended";
  const auto shown = choose(executions, [](const Execution&) { return false; });
  if (shown.execution && shown.execution->bounds.cost.instructions != Measure::kNoLimit)
    check.measures = cost(*shown.execution);
  return check;
}

// ---- output: every element is right

namespace {

std::string summary(const Comparison& output) {
  if (output.pattern == Pattern::all_unwritten) return "no element was written";
  std::string words = thousands(output.wrong) + " of " + counted(output.elements, "element");
  words += output.wrong == output.unwritten ? " never written" : " wrong";
  return words;
}

std::string first_wrong(const Execution& execution) {
  const auto& first = *execution.output.first;
  const auto where = subscript(execution.output_name, first, execution.output.extent);
  const auto expected = text(first.expected);
  if (first.unwritten) return where + " was never written; expected " + expected;
  return where + " is " + text(first.got) + "; expected " + expected;
}

} // namespace

Check check_output(Executions executions) {
  const auto wrong = [](const Execution& execution) { return !execution.output.passed(); };
  const auto shown = choose(executions, wrong);
  Check check = start("output", executions, shown);
  if (check.status == Status::failed && shown.execution) {
    const auto& output = shown.execution->output;
    check.measures = {{"wrong_elements", output.wrong, 0, 0}};
    check.observed = summary(output);
    check.message = first_wrong(*shown.execution);
  } else if (check.status == Status::passed) {
    check.measures = {{"wrong_elements", 0, 0, 0}};
    check.observed = "every element";
    check.shape.clear();
  }
  return check;
}

// ---- memory: what the checker found, and what was changed

namespace {

const char* words(FindingKind kind) {
  switch (kind) {
  case FindingKind::out_of_bounds:
    return "out of bounds";
  case FindingKind::misaligned:
    return "misaligned";
  case FindingKind::uninitialised:
    return "read before it is written";
  case FindingKind::race:
    return "a race";
  case FindingKind::use_after_free:
    return "used after it was freed";
  case FindingKind::barrier:
    return "a barrier that part of a block misses";
  case FindingKind::shuffle:
    return "a shuffle from a lane that takes no part";
  case FindingKind::read_only:
    return "a write to read-only memory";
  case FindingKind::warp_barrier:
    return "__syncwarp() without all that its mask names";
  case FindingKind::budget:
  case FindingKind::trap:
  case FindingKind::stack:
    break;
  case FindingKind::same_value:
    return "one value stored by several threads";
  }
  return nullptr; // a matter of the check `kernel`
}

void fail(Check& check, const device::Finding& finding, const std::string& shape) {
  check.status = Status::failed;
  check.place = place(finding);
  check.shape = shape;
  check.observed = words(finding.kind);
  const bool two = finding.other_line != 0 && finding.other_line != finding.line;
  if (two) {
    const auto [low, high] = std::minmax(finding.line, finding.other_line);
    check.observed += ", lines " + std::to_string(low) + " and " + std::to_string(high);
  } else {
    check.observed += on_line(check.place);
  }
  check.message = finding.message;
}

// The finding to show: one that ended a kernel, else the first.
const device::Finding* worst(const Observation& observed, Notes notes) {
  const device::Finding* first = nullptr;
  for (const auto& finding : observed.findings) {
    if (!words(finding.kind)) continue;
    if (device::is_note(finding.kind) && notes == Notes::allowed) continue;
    if (finding.fatal) return &finding;
    if (!first) first = &finding;
  }
  return first;
}

bool touches_memory(const Execution& execution) {
  const auto counts = count(execution.observed);
  return counts.shared_requests() + counts.global_requests() > 0;
}

} // namespace

Check check_memory(Executions executions, Notes notes) {
  Check check = unmeasured("memory", "nothing was executed");
  for (const auto& execution : executions) {
    if (const auto* finding = worst(execution.observed, notes)) {
      fail(check, *finding, execution.shape);
      return check;
    }
    if (!execution.damage.empty()) {
      const auto& damage = execution.damage.front();
      check.status = Status::failed;
      check.shape = execution.shape;
      check.observed = damage.what + " was changed";
      check.message = damage.what + " was changed at byte " + thousands(damage.byte);
      return check;
    }
  }
  if (const char* reason = gap(executions)) return nothing_to_look_at(check, reason);
  if (std::none_of(executions.begin(), executions.end(), touches_memory))
    return nothing_to_look_at(check, "no memory is touched");
  check.status = Status::passed;
  check.observed = "in bounds, initialised, no races";
  return check;
}

} // namespace course::judge
