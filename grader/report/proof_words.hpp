// What `course check` proves, in words: what was expected of a file, and what was found. Checks are
// called as in the exercise's files.
#pragma once

#include "lab/proofs.hpp"

#include <string>

namespace course::report {

std::string expected_words(const lab::Proof&);
std::string found_words(const lab::Proof&); // where it does not hold

} // namespace course::report
