// Which kinds of findings there are: findings.def.
#pragma once

#include <cstddef>
#include <iterator>

namespace course::device {

enum class FindingKind {
#define COURSE_FINDING(name, words, severity, called, happened, asked) name,
#include "device/findings.def"
};

struct KnownFinding {
  enum class Severity { error, note };
  const char* name;  // in JSON: "out_of_bounds"
  const char* words; // "out of bounds"
  Severity severity;
};
inline constexpr KnownFinding kKnownFindings[] = {
// by their kind
#define COURSE_FINDING(name, words, severity, called, happened, asked)                             \
  {#name, words, KnownFinding::Severity::severity},
#include "device/findings.def"
};

// Of a kind that is none, as bytes of another process may have: nullptr.
constexpr const KnownFinding* known(FindingKind kind) {
  const auto row = static_cast<std::size_t>(kind);
  return row < std::size(kKnownFindings) ? &kKnownFindings[row] : nullptr;
}

// As in JSON.
constexpr const char* id_of(FindingKind kind) {
  return known(kind) ? known(kind)->name : "unknown";
}
constexpr const char* name(FindingKind kind) {
  return known(kind) ? known(kind)->words : "unknown";
}
// Whether it is worth knowing, and nothing is wrong by it.
constexpr bool is_note(FindingKind kind) {
  return known(kind) && known(kind)->severity == KnownFinding::Severity::note;
}
// Whether threads that should meet do not: what is not in order afterwards may come from that.
constexpr bool is_missed_meeting(FindingKind kind) {
  return kind == FindingKind::barrier || kind == FindingKind::warp_barrier;
}

} // namespace course::device
