// Control flow: where the paths of a branch meet again.
#pragma once

#include <cstdint>
#include <vector>

namespace course::ptx {

inline constexpr std::uint32_t kNowhere = 0xffffffff; // no node

// Immediate post-dominators of a graph whose last node is the end: for each node the next one that
// every path from it to the end goes through. kNowhere for the end itself, and for nodes from which
// no path leads to it. `successors` has indices below its size.
//
// The algorithm is that of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm"), on
// the reversed graph.
std::vector<std::uint32_t>
post_dominators(const std::vector<std::vector<std::uint32_t>>& successors);

// Where paths meet that go on, for branches whose paths have only the end in common because some of
// them end early: for each node what post_dominators would give, were there no paths that return
// before the others. kNowhere where fewer than two sides go on, or to nothing that they share.
// `ended` says which nodes do nothing but end.
//
// Compilers place a warp's meeting points in this way, as lanes that have ended are not waited for.
std::vector<std::uint32_t>
meetings_despite_returns(const std::vector<std::vector<std::uint32_t>>& successors,
                         const std::vector<bool>& ended);

} // namespace course::ptx
