// Why edits do not make a wrong variant, in words.
#pragma once

#include "lab/edits.hpp"

#include <string>

namespace course::report {

std::string fault_words(const lab::EditFault&);

} // namespace course::report
