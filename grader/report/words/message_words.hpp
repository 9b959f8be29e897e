// What devices have to say, in words: device/message.hpp has the facts.
#pragma once

#include "device/message.hpp"

#include <string>

namespace course::report {

// "reads s[1] (byte 4), which thread (1,0,0) wrote, and no barrier is between the two". No full
// stop. Empty for an empty message, and for one that nobody has words for.
std::string in_words(const device::Message&);

} // namespace course::report
