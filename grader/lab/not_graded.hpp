// The verdict on a file of which nothing can be judged.
#pragma once

#include "lab/ending_faults.hpp"
#include "lab/grade.hpp"

namespace course::lab {

// It ended so: no check is measured, and there are no points.
judge::Verdict not_graded(const Exercise&, const Submission&, const judge::Means&,
                          const judge::EndedBy&);

} // namespace course::lab
