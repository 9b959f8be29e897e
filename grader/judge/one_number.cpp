#include "judge/one_number.hpp"

#include "judge/numbers.hpp"
#include "judge/shown.hpp"

namespace course::judge {

std::string limit_of(const Measure& measure) {
  const bool bounded = measure.high != Measure::kNoLimit;
  if (!bounded) return measure.low == 0 ? "" : "at least " + thousands(measure.low);
  if (measure.low == 0 || measure.low == measure.high) return thousands(measure.high);
  return thousands(measure.low) + " to " + thousands(measure.high);
}

Place heaviest(const device::Observation& observed,
               const std::function<std::uint64_t(const device::LineCounts&)>& weight) {
  const device::LineCounts* most = nullptr;
  for (const auto& line : observed.lines) {
    if (weight(line) > 0 && (!most || weight(line) > weight(*most))) most = &line;
  }
  return most ? Place{most->kernel, most->file, most->line} : Place{};
}

Check check_number(const std::string& name, Executions executions, const Number& number) {
  const auto shown = choose(
      executions, [&](const Execution& execution) { return !number.measure(execution).holds(); });
  Check check = start(name, executions, shown);
  if (!shown.execution || check.status == Status::not_measured) return check;
  check.measures = {number.measure(*shown.execution)};
  check.observed = number.words(check.measures[0].value);
  check.limit = limit_of(check.measures[0]);
  if (check.status != Status::failed)
    return unless_uncertain(check, executions, [&](const Execution& execution) {
      return std::vector<Measure>{number.measure(execution)};
    });
  const auto elements = counted(shown.execution->bounds.elements, "element");
  check.message =
      check.observed + (number.in_all ? " for " + elements : "") + "; the limit is " + check.limit;
  if (check.measures[0].high == 0 && check.measures[0].low == 0 && !number.in_all)
    check.message = check.observed + ", where none is allowed";
  if (number.weight) check.place = heaviest(shown.execution->observed, number.weight);
  check.observed += on_line(check.place);
  return check;
}

} // namespace course::judge
