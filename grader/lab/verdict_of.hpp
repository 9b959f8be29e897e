// The verdict, made of what the stages of a grading found.
#pragma once

#include "lab/evidence.hpp"

namespace course::lab {

judge::Verdict verdict_of(const Grading&, const Evidence&);

} // namespace course::lab
