// Control flow: where the paths of a branch meet again.
#pragma once

#include <cstdint>
#include <vector>

namespace course::emulator {

// Immediate post-dominators of a graph whose last node is the end: for each node the next one that
// every path from it to the end goes through. kNowhere for the end itself, and for nodes from which
// no path leads to it. `successors` has indices below its size.
//
// The algorithm is that of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm"), on
// the reversed graph.
std::vector<std::uint32_t>
post_dominators(const std::vector<std::vector<std::uint32_t>>& successors);

} // namespace course::emulator
