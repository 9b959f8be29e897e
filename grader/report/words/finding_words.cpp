#include "report/words/finding_words.hpp"

namespace course::report {

using device::FindingKind;

const char* what_happened(FindingKind kind) {
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
  case FindingKind::same_value:
    return "one value stored by several threads";
  case FindingKind::budget:
    return "did not end";
  case FindingKind::trap:
    return "stopped itself";
  case FindingKind::stack:
    return "used up its stack";
  case FindingKind::phase:
    return "a barrier in memory used wrongly";
  case FindingKind::bulk_copy:
    return "a bulk copy against its rules";
  case FindingKind::proxy:
    return "stores that an asynchronous copy may not see";
  case FindingKind::wgmma:
    return "a product of a warpgroup used wrongly";
  case FindingKind::cluster:
    return "a block of the cluster that is not there any more";
  }
  return "";
}

} // namespace course::report
