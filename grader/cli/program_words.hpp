// Why `course run` cannot run a program, and what to do: in words.
#pragma once

#include "runtime/program_file.hpp"

#include <string>

namespace course::cli {

// A sentence or two, without the last full stop.
std::string in_words(const runtime::NotFound&);
std::string in_words(const runtime::NotRunnable&);

} // namespace course::cli
