#include "lab/request_checks.hpp"

#include "judge/numbers.hpp"
#include "judge/shown.hpp"

namespace course::lab {
namespace {

using Number = std::uint64_t (*)(const device::LineCounts&);

std::uint64_t requests(const device::LineCounts& line) {
  return line.requests;
}
std::uint64_t conflicts(const device::LineCounts& line) {
  return line.conflicts();
}

// What is counted: a number of each line whose access starts with `kind`.
struct Counted {
  std::string kind;
  Number number;

  std::uint64_t of(const device::LineCounts& line) const {
    return line.access.starts_with(kind) ? number(line) : 0;
  }
  std::uint64_t of(const device::Observation& observed) const {
    std::uint64_t sum = 0;
    for (const auto& line : observed.lines) sum += of(line);
    return sum;
  }
  judge::Place heaviest(const device::Observation& observed) const {
    const device::LineCounts* most = nullptr;
    for (const auto& line : observed.lines) {
      if (of(line) > 0 && (!most || of(line) > of(*most))) most = &line;
    }
    return most ? judge::Place{most->kernel, most->file, most->line} : judge::Place{};
  }
};

using Limit = std::function<judge::Range(const judge::Bounds&)>;

std::string text(const judge::Measure& measure) {
  if (measure.high == judge::Measure::kNoLimit) return "at least " + judge::thousands(measure.low);
  if (measure.low == 0) return judge::thousands(measure.high);
  return judge::thousands(measure.low) + " to " + judge::thousands(measure.high);
}

judge::Check check(const std::string& name, const std::string& noun, const Counted& counted,
                   const Limit& limit, judge::Executions executions) {
  const auto measure = [&](const judge::Execution& execution) {
    const auto range = limit(execution.bounds);
    return judge::Measure{name, counted.of(execution.observed), range.low, range.high};
  };
  const auto shown = judge::choose(
      executions, [&](const judge::Execution& execution) { return !measure(execution).holds(); });
  auto check = judge::start(name, executions, shown);
  if (check.status == judge::Status::not_measured) return check;
  const auto& found = measure(*shown.execution);
  check.measures = {found};
  check.observed = judge::counted(found.value, noun);
  check.limit = text(found);
  if (check.status == judge::Status::failed) {
    check.message = check.observed + " for " +
                    judge::counted(shown.execution->bounds.elements, "element") +
                    "; the limit is " + check.limit;
    check.place = counted.heaviest(shown.execution->observed);
    check.observed += judge::on_line(check.place);
  }
  return check;
}

} // namespace

OwnCheck requests_within(const std::string& name, const std::string& kind) {
  const Limit limit = [name](const judge::Bounds& bounds) {
    const auto found = bounds.others.find(name);
    return found == bounds.others.end() ? judge::Range{} : found->second;
  };
  return [=](judge::Executions executions) {
    return check(name, "request", {kind, requests}, limit, executions);
  };
}

OwnCheck conflicts_within(const std::string& name, const std::string& kind) {
  const Limit limit = [](const judge::Bounds& bounds) { return judge::Range{0, bounds.conflicts}; };
  return [=](judge::Executions executions) {
    return check(name, "conflict", {kind, conflicts}, limit, executions);
  };
}

} // namespace course::lab
