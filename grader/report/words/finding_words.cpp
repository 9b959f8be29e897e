#include "report/words/finding_words.hpp"

#include "device/message_id.hpp"
#include "language/translate.hpp"

namespace course::report {

using device::FindingKind;
using Id = device::MessageId;

namespace {

// Votes, matches and reductions have lanes to meet as shuffles have, and only these read from one.
std::string lanes_apart(const device::Message& message) {
  if (device::says(message, Id::reads_from_idle_lane) ||
      device::says(message, Id::reads_from_all_but_one))
    return tr("a shuffle from a lane that takes no part");
  if (device::says(message, Id::needs_whole_warp))
    return tr("a matrix instruction without its whole warp");
  return tr("an exchange of lanes without all that its mask names");
}

std::string in_a_cluster(const device::Message& message) {
  if (device::says(message, Id::aligned_by_some))
    return tr("a barrier of the cluster with .aligned, for part of a warp");
  if (device::says(message, Id::cluster_waits) ||
      device::says(message, Id::cluster_waits_for_others))
    return tr("a barrier that part of a cluster misses");
  return tr("a block of the cluster that is not there any more");
}

} // namespace

std::string kind_word(FindingKind kind) {
  switch (kind) {
  case FindingKind::out_of_bounds:
    return trc("a finding", "out of bounds");
  case FindingKind::misaligned:
    return trc("a finding", "misaligned");
  case FindingKind::uninitialised:
    return trc("a finding", "uninitialised");
  case FindingKind::race:
    return trc("a finding", "race");
  case FindingKind::use_after_free:
    return trc("a finding", "use after free");
  case FindingKind::barrier:
    return trc("a finding", "barrier");
  case FindingKind::shuffle:
    return trc("a finding", "exchange of lanes");
  case FindingKind::budget:
    return trc("a finding", "budget");
  case FindingKind::trap:
    return trc("a finding", "trap");
  case FindingKind::read_only:
    return trc("a finding", "read only");
  case FindingKind::warp_barrier:
    return trc("a finding", "warp barrier");
  case FindingKind::stack:
    return trc("a finding", "stack");
  case FindingKind::same_value:
    return trc("a finding", "same value");
  case FindingKind::unset:
    return trc("a finding", "unset");
  case FindingKind::late_store:
    return trc("a finding", "late store");
  case FindingKind::phase:
    return trc("a finding", "phase");
  case FindingKind::bulk_copy:
    return trc("a finding", "bulk copy");
  case FindingKind::proxy:
    return trc("a finding", "proxy");
  case FindingKind::wgmma:
    return trc("a finding", "wgmma");
  case FindingKind::cluster:
    return trc("a finding", "cluster");
  case FindingKind::registers:
    return trc("a finding", "registers");
  case FindingKind::idle_lane:
    return trc("a finding", "idle lane");
  case FindingKind::old_devices:
    return trc("a finding", "earlier devices");
  case FindingKind::overlap:
    return trc("a finding", "overlap");
  }
  return "";
}

std::string what_happened(const device::Finding& finding) {
  switch (finding.kind) {
  case FindingKind::out_of_bounds:
    return tr("out of bounds");
  case FindingKind::misaligned:
    return tr("misaligned");
  case FindingKind::uninitialised:
    return tr("read before it is written");
  case FindingKind::race:
    return tr("a race");
  case FindingKind::use_after_free:
    return tr("used after it was freed");
  case FindingKind::barrier:
    return tr("a barrier that part of a block misses");
  case FindingKind::shuffle:
    return lanes_apart(finding.message);
  case FindingKind::read_only:
    return tr("a write to read-only memory");
  case FindingKind::warp_barrier:
    return tr("__syncwarp() without all that its mask names");
  case FindingKind::same_value:
    return tr("one value stored by several threads");
  case FindingKind::unset:
    return tr("a variable that nothing has set");
  case FindingKind::late_store:
    return tr("a value that is out of date");
  case FindingKind::budget:
    return tr("did not end");
  case FindingKind::trap:
    return tr("stopped itself");
  case FindingKind::stack:
    return tr("used up its stack");
  case FindingKind::phase:
    return tr("a barrier in memory used wrongly");
  case FindingKind::bulk_copy:
    return tr("a bulk copy against its rules");
  case FindingKind::proxy:
    return tr("stores that an asynchronous copy may not see");
  case FindingKind::wgmma:
    return tr("a product of a warpgroup used wrongly");
  case FindingKind::cluster:
    return in_a_cluster(finding.message);
  case FindingKind::registers:
    return tr("waits for registers that nobody gives back");
  case FindingKind::idle_lane:
    return lanes_apart(finding.message);
  case FindingKind::old_devices:
    return tr("a barrier that waits on earlier devices");
  case FindingKind::overlap:
    return tr("arrays that may overlap");
  }
  return "";
}

} // namespace course::report
