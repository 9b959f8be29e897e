// Comparisons of half precision that give numbers (set), one by one and in pairs.
#pragma once

#include "device/emulator/execute/forms.hpp"

namespace course::emulator {

void add_half_compare_forms(FormTable&);

} // namespace course::emulator
