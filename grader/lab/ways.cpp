#include "lab/ways.hpp"

#include "judge/way.hpp"
#include "lab/launcher.hpp"

namespace course::lab {

judge::WayTaken followed(const Case& one, const Placement& placement, const device::Job& job,
                         device::Follower* follower) {
  const auto output = output_of(one);
  std::vector<std::vector<device::Way>> ways;
  if (follower) ways = follower->follow(job);
  return judge::way_taken(*one.bounds.way, placement.ways(ways, output),
                          bytes_of(one.operands[output].type));
}

} // namespace course::lab
