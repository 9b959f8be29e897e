#include "device/device.hpp"

namespace course::device {

const char* name(FindingKind kind) {
  switch (kind) {
  case FindingKind::out_of_bounds:
    return "out of bounds";
  case FindingKind::misaligned:
    return "misaligned";
  case FindingKind::uninitialised:
    return "uninitialised";
  case FindingKind::race:
    return "race";
  case FindingKind::use_after_free:
    return "use after free";
  case FindingKind::barrier:
    return "barrier";
  case FindingKind::shuffle:
    return "shuffle";
  case FindingKind::budget:
    return "budget";
  case FindingKind::trap:
    return "trap";
  case FindingKind::read_only:
    return "read only";
  case FindingKind::warp_barrier:
    return "warp barrier";
  case FindingKind::stack:
    return "stack";
  case FindingKind::same_value:
    return "same value";
  case FindingKind::unset:
    return "unset";
  case FindingKind::late_store:
    return "late store";
  case FindingKind::phase:
    return "phase";
  case FindingKind::bulk_copy:
    return "bulk copy";
  case FindingKind::proxy:
    return "proxy";
  case FindingKind::wgmma:
    return "wgmma";
  case FindingKind::cluster:
    return "cluster";
  case FindingKind::registers:
    return "registers";
  case FindingKind::idle_lane:
    return "idle lane";
  case FindingKind::old_devices:
    return "old devices";
  }
  return "unknown";
}

} // namespace course::device
