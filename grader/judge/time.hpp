// Time: how long a launcher takes beside a peer (the course's solution, or a copy), judged on an
// interval.
//
// A ratio of times is never exact, so what is held against the limit is the interval that holds it:
// all of it below is a pass, all of it above a failure, and a limit inside it is too close to call.
// That is neither: it is measured again with more runs, and said when it stays so.
#pragma once

#include "judge/check.hpp"

#include <cstdint>
#include <string>

namespace course::judge {

struct Timing {
  std::string shape;               // that was timed: "4096 x 4096"
  std::string peer;                // "the solution", "a copy"
  double limit = 0;                // of student's time / peer's time, at most
  double seconds = 0, of_peer = 0; // medians
  double ratio = 0, low = 0, high = 0;
  std::uint64_t pairs = 0; // of runs
  double floor = 0;        // seconds in which memory can move the bytes; 0: unknown
  std::string conditions;  // clocks and the like, for the message; may be empty
  std::string wrong;       // a sentence: a timed run had a wrong output
  std::string invalid;     // a sentence: why there are no times, or worthless ones
};

enum class Call { below, above, too_close };
Call call(const Timing&); // of the interval and the limit alone

// The check `time`. Too close to call is "not measured" and costs nothing; so are invalid times,
// but those do cost the points, as they may be the student's doing. Faster than the floor fails:
// such a kernel has not moved its data.
Check check_time(const Timing&);

} // namespace course::judge
