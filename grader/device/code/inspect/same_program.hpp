// Whether the PTX of a module is what its machine code was made of.
//
// fatbinary takes the comments out of the PTX that it stores, and does not end them where ptxas
// does: it reads "/*/" as a whole comment, and a carriage return as the end of a line. What stands
// behind is code for the one and a comment for the other, so that the emulated device would execute
// what no GPU does. A cubin with line numbers has the text that ptxas read.
#pragma once

#include "device/device.hpp"

namespace course::code {

// True where the cubin does not say what it was made of. Safe on any bytes.
bool same_program(const device::Module&);

} // namespace course::code
