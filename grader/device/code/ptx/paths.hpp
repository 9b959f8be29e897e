// Paths: a function's control flow as a graph of blocks, and what every path must go through.
#pragma once

#include "device/code/ptx/module.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace course::ptx {

// Node 0 is the entry.
class Paths {
public:
  explicit Paths(std::vector<std::vector<std::uint32_t>> successors);

  const std::vector<std::uint32_t>& successors(std::uint32_t node) const {
    return successors_[node];
  }
  const std::vector<std::uint32_t>& predecessors(std::uint32_t node) const {
    return predecessors_[node];
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(successors_.size()); }

  // Whether every path from the entry to `node` goes through `through`; true of a node and itself.
  // False where no path leads to `node`.
  bool dominates(std::uint32_t through, std::uint32_t node) const;
  // The last such node before `node` itself; kNowhere where there is none.
  std::uint32_t dominator(std::uint32_t node) const { return dominator_[node]; }
  // Whether `node` is reached from `from`, and from nowhere else.
  bool only_from(std::uint32_t from, std::uint32_t node) const {
    return predecessors_[node].size() == 1 && predecessors_[node][0] == from;
  }

private:
  std::vector<std::vector<std::uint32_t>> successors_, predecessors_;
  std::vector<std::uint32_t> dominator_;
  std::vector<std::uint32_t> first_, last_; // of a walk through the tree of dominators
};

// Nodes of cycles that are entered at their header alone, and have no other such header inside: the
// header comes first, the others are sorted.
std::vector<std::vector<std::uint32_t>> innermost_loops(const Paths&);

// The same of all such cycles, nested ones included, which take their number squared: nothing where
// they have more nodes than `most` in all.
std::optional<std::vector<std::vector<std::uint32_t>>> all_loops(const Paths&, std::size_t most);

// The blocks of a PTX function; the last node is its end.
struct PtxBlocks {
  std::vector<std::uint32_t> begins;   // of each block, an instruction; then the body's size
  std::vector<std::uint32_t> block_of; // of each instruction
  Paths paths;
  std::vector<std::uint32_t> meet; // of each block, its post-dominator (control_flow.hpp)

  std::uint32_t end() const { return static_cast<std::uint32_t>(begins.size() - 1); }
};
PtxBlocks blocks_of(const Function&);

} // namespace course::ptx
