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

enum class Call { below, above, too_close };
Call call(const Timing&); // of the interval and the limit alone

// The check `time`. Too close to call is "not measured" and costs nothing; so are invalid times,
// but those do cost the points, as they may be the student's doing. Faster than the floor fails:
// such a kernel has not moved its data.
Check check_time(const Timing&);

} // namespace course::judge
