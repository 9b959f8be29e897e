// Rows of counts of one line: in a few words, in sentences, and drawn.
#pragma once

#include "device/device.hpp"

#include <string>
#include <vector>

namespace course::report {

using LineRows = std::vector<const device::LineCounts*>;

// "31 conflicts, 4 sectors per request". Empty where nothing is counted that costs by its
// addresses.
std::string in_few_words(const LineRows&);

// "8,192 requests to shared memory: 262,144 wavefronts where 8,192 would do." One for each memory.
std::string in_sentences(const LineRows&);

// Each row with its most costly request drawn, lanes and banks or sectors, and the question that it
// asks where something is wasted.
std::string drawn(const LineRows&);

inline constexpr int kPageColumns = 76;

} // namespace course::report
