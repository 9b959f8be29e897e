// Two files that are alike, side by side, what they have in common marked.
#pragma once

#include "report/page.hpp"

#include <array>
#include <string>

namespace course::classroom {

struct SideBySide {
  std::string exercise, skeleton;
  std::array<std::string, 2> names, texts;
};

// Marked is what the skeleton does not give and both have, by lines.
std::string alike_page(const SideBySide&, const report::PageTitle&);

} // namespace course::classroom
