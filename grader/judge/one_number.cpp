#include "judge/one_number.hpp"

#include "judge/which_execution.hpp"

namespace course::judge {

const device::LineCounts*
heaviest(const device::Observation& observed,
         const std::function<std::uint64_t(const device::LineCounts&)>& weight) {
  const device::LineCounts* most = nullptr;
  for (const auto& line : observed.lines) {
    if (weight(line) > 0 && (!most || weight(line) > weight(*most))) most = &line;
  }
  return most;
}

Place place_of(const device::LineCounts* line) {
  return line ? Place{line->kernel, line->file, line->line} : Place{};
}

namespace {

Share share_of(const Number& number) {
  if (!number.weight) return {};
  return [&number](const device::LineCounts& line, std::size_t) {
    const auto weight = number.weight(line);
    const bool counted = number.counts ? number.counts(line) : weight > 0;
    return counted ? std::optional(weight) : std::nullopt;
  };
}

} // namespace

Check check_number(const std::string& name, Executions executions, const Number& number) {
  const auto shown = choose(
      executions, [&](const Execution& execution) { return !number.measure(execution).holds(); });
  Check check = start(name, executions, shown);
  if (!shown.execution || check.status == Status::not_measured) return check;
  check.measures = {number.measure(*shown.execution)};
  check.facts = facts::Counted{number.unit, shown.execution->bounds.elements};
  if (check.status != Status::failed)
    return unless_uncertain(
        check, executions,
        [&](const Execution& execution) { return std::vector<Measure>{number.measure(execution)}; },
        share_of(number));
  if (!number.weight) return check;
  const auto* most = heaviest(shown.execution->observed, number.weight);
  check.place = place_of(most);
  if (most && number.unit == facts::Unit::conflicts) check.row = *most; // to be drawn
  return check;
}

} // namespace course::judge
