#include "judge/way.hpp"

#include "judge/which_execution.hpp"

#include <algorithm>

namespace course::judge {
namespace {

using device::Way;

bool as_asked(const WayBound& asked, Way came) {
  const bool meets = std::ranges::all_of(asked.through, [&](Way one) { return came & one; });
  return meets && (came & ~device::way::details) != 0 && (came & ~asked.may) == 0;
}

// The part of the way that is not allowed, or else the one that is missing.
facts::Astray how_astray(const WayBound& asked, Way came) {
  using How = facts::Astray::How;
  facts::Astray found;
  if (const Way wrong = came & ~asked.may) {
    found.how = How::forbidden;
    found.part = wrong;
    return found;
  }
  found.how = How::from_nothing;
  for (const Way one : asked.through) {
    if (came & one) continue;
    found.how = How::not_through;
    found.part = one;
    break;
  }
  return found;
}

} // namespace

WayTaken way_taken(const WayBound& asked, std::span<const Way> ways, std::uint64_t bytes) {
  return way_taken(ways, bytes, [&](Way came) { return as_asked(asked, came); });
}

WayTaken way_taken(std::span<const Way> ways, std::uint64_t bytes,
                   const std::function<bool(Way)>& as_asked) {
  WayTaken taken;
  taken.elements = ways.size() / bytes;
  for (std::uint64_t i = 0; i < taken.elements; ++i) {
    Way came = 0;
    for (const Way byte : ways.subspan(i * bytes, bytes)) came |= byte;
    if (as_asked(came)) continue;
    if (taken.astray++ == 0) taken.first = i, taken.came = came;
  }
  return taken;
}

Check with_way(Check check, Executions executions) {
  if (check.status != Status::passed) return check;
  for (const auto& execution : executions) {
    if (!execution.way || !execution.bounds.way) continue;
    const auto& asked = *execution.bounds.way;
    const auto& taken = *execution.way;
    if (taken.elements == 0 && execution.bounds.elements > 0)
      return nothing_to_look_at(check, facts::Missing::way_not_followed);
    if (taken.astray <= asked.stay) continue;
    return astray(std::move(check), execution, asked, taken);
  }
  return check;
}

Check astray(Check check, const Execution& execution, const WayBound& asked,
             const WayTaken& taken) {
  auto found = how_astray(asked, taken.came);
  found.buffer = execution.output_name;
  found.first = taken.first;
  found.elements = taken.elements;
  check.status = Status::failed;
  check.shape = execution.shape;
  check.place = {};
  check.measures = {{"elements_astray", taken.astray, 0, asked.stay}};
  check.facts = std::move(found);
  return check;
}

} // namespace course::judge
