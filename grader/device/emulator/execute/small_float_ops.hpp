// Conversions from and to numbers of 8 bits (small_float_ops.cpp).
#pragma once

namespace course::emulator {

class FormTable;
void add_small_float_forms(FormTable&);

} // namespace course::emulator
