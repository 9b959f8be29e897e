// A check of a verdict: one question about a student's kernel, answered with numbers.
#pragma once

#include "device/device.hpp"
#include "judge/check_kind.hpp"
#include "judge/facts.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace course::judge {

enum class Status { passed, failed, not_measured };
const char* name(Status); // as in the JSON

// A number that was held against its limit; both ends of the limit are inclusive.
//
// Some of it may not be certain (device::LineCounts::exact). Then a verdict rests on the rest:
// - too much is what is certain alone and already beyond the upper limit. Whatever the uncertain
//   part is on a GPU, it adds to that. That the PTX has more than the limit proves nothing, as the
//   compiler may have merged it away;
// - too little is what does not reach the lower limit with all that the PTX has, which is all that
//   the program asks for;
// - right is what keeps both limits with all that the PTX has. The machine code does what the PTX
//   asks for, by wider accesses or fewer; what lanes read ahead of a branch it may read besides,
//   which the report marks. That work is done for show is seen by the way of the data (way.hpp).
//   But of what is counted "at least" a GPU counts more, and that keeps no upper limit.
// Everything else is not known, and neither passes nor fails: it favours nobody.
struct Measure {
  static constexpr std::uint64_t kNoLimit = UINT64_MAX;

  std::string what; // "shared_loads"
  std::uint64_t value = 0, low = 0, high = kNoLimit;
  std::uint64_t uncertain = 0; // of the value: counted as the PTX has it
  bool at_least = false;       // some of what it counts is more on a GPU, be it 0 here

  bool holds() const { return low <= value && value - uncertain <= high; } // or is not known
  bool known() const { return !holds() || (value <= high && (!at_least || high == kNoLimit)); }
};

struct Place { // in the student's source
  std::string kernel, file;
  std::uint32_t line = 0; // 0: no line is known
};

struct Check {
  std::string name; // see kind()
  Status status = Status::not_measured;
  Facts facts;                   // what was observed: report/words says it
  std::vector<Measure> measures; // of the execution that is shown
  Shape shape;                   // of that execution
  Place place;                   // where to look; line 0 when there is no one place
  // The counts at that place, in that execution; nothing where it is not about a line's accesses.
  std::optional<device::LineCounts> row;
  std::string question; // the author's, for when it fails; may be empty
  // What is known of why it failed: a question about that is better than the author's.
  bool right_in_another_order = false;   // of blocks and warps
  std::optional<facts::Removed> removed; // by the compiler, where shared memory is missed

  int max_points = 0;
  int points = 0;       // earned
  std::string pair;     // the check that has to pass too for the points of this one
  bool possible = true; // false: this device cannot measure it, and its points are not counted

  CheckKind kind() const { return check_kind(name); }
};

} // namespace course::judge
