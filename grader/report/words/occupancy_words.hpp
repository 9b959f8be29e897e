// Why no more blocks of a kernel fit on a multiprocessor.
#pragma once

#include "judge/facts.hpp"

#include <string>

namespace course::report {

// "an SM has room for 2,048 threads, and a block has 1,024"; empty when there is nothing to say.
std::string what_limits(const judge::facts::Occupied&);

} // namespace course::report
