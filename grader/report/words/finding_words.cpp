#include "report/words/finding_words.hpp"

#include "device/message_id.hpp"
#include "language/translate.hpp"

namespace course::report {
namespace {

using device::FindingKind;
using language::marked;
using Id = device::MessageId;

struct AboutFinding {
  const char* called;
  const char* happened;
  const char* asked;
};
constexpr AboutFinding kFindings[] = {
// by their kind
#define COURSE_FINDING(name, words, severity, called, happened, asked) {called, happened, asked},
#include "device/findings.def"
};
constexpr const AboutFinding& words_of(FindingKind kind) {
  return kFindings[static_cast<std::size_t>(kind)];
}

// What more is known of some, in words; empty for others.
std::string happened_between_lanes(const device::Message& message) {
  if (device::says(message, Id::reads_from_idle_lane) ||
      device::says(message, Id::reads_from_all_but_one))
    return tr("a shuffle from a lane that takes no part");
  if (device::says(message, Id::needs_whole_warp))
    return tr("a matrix instruction without its whole warp");
  return "";
}

std::string happened_in_cluster(const device::Message& message) {
  if (device::says(message, Id::aligned_by_some))
    return tr("a barrier of the cluster with .aligned, for part of a warp");
  if (device::says(message, Id::cluster_waits) ||
      device::says(message, Id::cluster_waits_for_others))
    return tr("a barrier that part of a cluster misses");
  return "";
}

} // namespace

std::string kind_word(FindingKind kind) {
  return device::known(kind) ? language::translated("a finding", words_of(kind).called) : "";
}

std::string what_happened(const device::Finding& finding) {
  const auto kind = finding.kind;
  const auto more = kind == FindingKind::shuffle || kind == FindingKind::idle_lane
                        ? happened_between_lanes(finding.message)
                    : kind == FindingKind::cluster ? happened_in_cluster(finding.message)
                                                   : "";
  if (!more.empty() || !device::known(kind)) return more;
  return language::translated(words_of(kind).happened);
}

std::string what_is_asked(FindingKind kind) {
  return device::known(kind) ? language::translated(words_of(kind).asked) : "";
}

} // namespace course::report
