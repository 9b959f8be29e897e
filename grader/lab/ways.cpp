#include "lab/ways.hpp"

#include "judge/uses.hpp"
#include "judge/way.hpp"
#include "lab/launcher.hpp"

namespace course::lab {

void follow(judge::Execution& execution, const Case& one, const Placement& placement,
            const device::Job& job, device::Follower* follower) {
  const auto output = output_of(one);
  device::Followed seen;
  if (follower) seen = follower->follow(job);
  const auto ways = placement.ways(seen.ways, output);
  const auto bytes = bytes_of(one.operands[output].type);
  const auto& bounds = one.bounds;
  if (bounds.way) execution.way = judge::way_taken(*bounds.way, ways, bytes);
  if (bounds.uses && follower)
    execution.uses = judge::uses_taken(*bounds.uses, ways, bytes, seen.used);
}

} // namespace course::lab
