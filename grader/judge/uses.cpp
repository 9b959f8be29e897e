#include "judge/uses.hpp"

#include "judge/way.hpp"
#include "judge/which_execution.hpp"

#include <algorithm>

namespace course::judge {
namespace {

using device::Way;

Measure counted(const Execution& execution, device::Used what, const Range& range) {
  const auto value = execution.uses->counts[static_cast<std::size_t>(what)];
  return {"used", value, range.low, range.high};
}

// The first count beyond its limits.
std::optional<device::Used> off(const Execution& execution) {
  for (const auto& [what, range] : execution.bounds.uses->counts)
    if (!counted(execution, what, range).holds()) return what;
  return std::nullopt;
}

bool is_followed(const Execution& execution) {
  return execution.uses && execution.bounds.uses;
}

// A count is asked for where any shape asks for some, and is to be small where one sets an end.
void looked_at(facts::Uses& uses, device::Used what, Executions executions) {
  bool some = false, few = false;
  for (const auto& execution : executions) {
    if (!is_followed(execution)) continue;
    const auto& counts = execution.bounds.uses->counts;
    const auto found = counts.find(what);
    if (found == counts.end()) continue;
    some = some || found->second.low > 0;
    few = few || found->second.high != Measure::kNoLimit;
  }
  if (some)
    uses.counted.push_back(what);
  else if (few)
    uses.few.push_back(what);
}

bool is_astray(const Execution& execution) {
  return execution.uses->way.astray > execution.bounds.uses->way.stay;
}

} // namespace

UsesTaken uses_taken(const UsesBound& asked, std::span<const Way> ways, std::uint64_t bytes,
                     const device::UsedCounts& counts) {
  const auto as_asked = [&](Way came) {
    return (came & ~asked.way.may) == 0 &&
           std::ranges::all_of(asked.way.through, [&](Way one) { return (came & one) != 0; });
  };
  return {way_taken(ways, bytes, as_asked), counts};
}

Check check_uses(const std::string& name, Executions executions) {
  const auto shown = choose(executions, [](const Execution& execution) {
    return is_followed(execution) && (is_astray(execution) || off(execution));
  });
  Check check = start(name, executions, shown);
  if (check.status == Status::not_measured) return check;
  // What is missing came by nothing.
  if (std::ranges::any_of(executions, [](const Execution& one) { return !one.output.passed(); }))
    return nothing_to_look_at(check, facts::Missing::output_first);
  const auto followed = std::ranges::find_if(executions, is_followed);
  if (followed == executions.end())
    return nothing_to_look_at(check, facts::Missing::way_not_followed);
  const auto& asked = *followed->bounds.uses;
  facts::Uses uses;
  uses.parts = asked.way.through;
  uses.never = static_cast<Way>(device::way::details & ~asked.way.may);
  for (const auto& count : asked.counts) looked_at(uses, count.first, executions);
  check.facts = uses;
  if (check.status != Status::failed) return check;
  const auto& execution = *shown.execution;
  if (is_astray(execution))
    return astray(std::move(check), execution, execution.bounds.uses->way, execution.uses->way);
  uses.off = off(execution);
  check.measures = {counted(execution, *uses.off, execution.bounds.uses->counts.at(*uses.off))};
  check.facts = uses;
  return check;
}

} // namespace course::judge
