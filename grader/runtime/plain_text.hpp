// Text that a hostile program wrote, made safe to show on a terminal and in a report.
#pragma once

#include <string>
#include <string_view>

namespace course::runtime {

// Printable ASCII as it is, every other byte as '?', at most 500 characters.
std::string plain_text(std::string_view);

} // namespace course::runtime
