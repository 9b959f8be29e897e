#include "device/emulator/decode/proof.hpp"

#include "device/code/ptx/control_flow.hpp"
#include "device/code/ptx/paths.hpp"
#include "device/emulator/decode/operation.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace course::emulator {
namespace {

using Graph = std::vector<std::vector<std::uint32_t>>;
using Lines = std::vector<std::uint32_t>; // of PTX, sorted, each once

constexpr std::uint32_t kInstructionBytes = 16;
// Beyond what anybody writes by hand or by templates.
constexpr std::size_t kMostBlocks = 4096, kMostInLoops = 1 << 20;

// The decisions that each block depends on, as PTX lines of branches.
class Decisions {
public:
  // `line` of a block's last instruction. The last block of the graph is the end.
  template <typename LineOf>
  Decisions(const Graph& successors, LineOf line) : on_(successors.size()) {
    const auto meet = ptx::post_dominators(successors);
    std::vector<std::set<std::uint32_t>> direct(successors.size()); // branching blocks
    for (std::uint32_t from = 0; from < successors.size(); ++from) {
      if (successors[from].size() < 2) continue;
      for (const std::uint32_t next : successors[from])
        for (std::uint32_t at = next; at != kNowhere && at != meet[from]; at = meet[at])
          direct[at].insert(from);
    }
    for (std::uint32_t block = 0; block < successors.size(); ++block) {
      std::set<std::uint32_t> seen;
      std::vector<std::uint32_t> work{block};
      while (!work.empty()) {
        const std::uint32_t at = work.back();
        work.pop_back();
        for (const std::uint32_t branch : direct[at])
          if (seen.insert(branch).second) work.push_back(branch);
      }
      std::set<std::uint32_t> lines;
      for (const std::uint32_t branch : seen) lines.insert(line(branch));
      on_[block].assign(lines.begin(), lines.end());
    }
  }
  const Lines& on(std::uint32_t block) const { return on_[block]; }

private:
  std::vector<Lines> on_;
};

bool within(const Lines& some, const Lines& all) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

Graph graph_of(const ptx::Paths& paths) {
  Graph graph;
  for (std::uint32_t node = 0; node < paths.size(); ++node) graph.push_back(paths.successors(node));
  return graph;
}

Graph graph_of(const sass::Kernel& kernel) {
  Graph graph;
  for (const sass::Block& block : kernel.blocks) graph.push_back(block.successors);
  graph.emplace_back(); // the end of the thread
  return graph;
}

bool is_load(sass::Operation operation) {
  return operation == sass::Operation::load || operation == sass::Operation::matrix_load;
}

class Prover {
public:
  using Loops = std::vector<std::vector<std::uint32_t>>;

  Prover(const ptx::Function& function, const sass::Kernel& kernel, ptx::PtxBlocks blocks,
         const Loops& loops)
      : function_(function), kernel_(kernel), ptx_(std::move(blocks)),
        in_ptx_(graph_of(ptx_.paths),
                [&](std::uint32_t block) {
                  return function.body[ptx_.begins[block + 1] - 1].ptx_line;
                }),
        in_sass_(graph_of(kernel), [&](std::uint32_t block) {
          return kernel.line_of[kernel.blocks[block].end / kInstructionBytes - 1];
        }) {
    for (const sass::Access& access : kernel.accesses)
      if (access.guarded && access.guard_line == access.ptx_line)
        guarded_alone_.insert({access.ptx_line, access.operation});
    for (const ptx::Instruction& one : function.body)
      if (one.row->ends_block() && one.row->opcode != ptx::Opcode::trap)
        branches_.insert(one.ptx_line);
    for (std::uint32_t block = 0; block < ptx_.end(); ++block) {
      const auto& from = ptx_.paths.predecessors(block);
      const bool jump = ptx_.begins[block + 1] - ptx_.begins[block] == 1 &&
                        ptx_.paths.successors(block).size() == 1;
      if (jump && from.size() == 1 && ptx_.paths.successors(from[0]).size() > 1)
        decided_at_.emplace(line_of_end(block), line_of_end(from[0]));
    }
    for (const auto& body : loops) {
      const std::set<std::uint32_t> inside(body.begin(), body.end());
      for (const std::uint32_t block : body) {
        const auto& next = ptx_.paths.successors(block);
        const auto leaves = [&](std::uint32_t to) { return !inside.contains(to); };
        const bool exits = std::any_of(next.begin(), next.end(), leaves);
        exits_[body.front()] += exits ? 1 : 0;
        const bool again = std::find(next.begin(), next.end(), body.front()) != next.end();
        if (next.size() > 1 && (exits || again))
          again_[line_of_end(block)].insert(body.begin(), body.end());
      }
    }
  }

  // Whether lanes that load in the PTX may do without: ptxas made a guard for the load alone.
  bool left_out_by_some(std::uint32_t instruction, const sass::Match& match) const {
    return match.access.guarded && is_load(match.access.operation) &&
           guarded_alone_.contains({function_.body[instruction].ptx_line, match.access.operation});
  }

  Proof of(std::uint32_t instruction, const sass::Match& match) const {
    const Proof proof = by_decisions(instruction, match);
    if (proof != Proof::exact) return proof;
    for (const std::uint32_t address : match.copies)
      for (const std::uint32_t line : in_sass_.on(block_at(address)))
        if (std::find(kernel_.breaks.begin(), kernel_.breaks.end(), line) != kernel_.breaks.end())
          return Proof::whole_warps;
    return proof;
  }

  // Whether lanes leave a loop by one branch. Where there are several (break), the GPU may not wait
  // for those that left in the middle of a round.
  bool ends_in_one_place(std::uint32_t header) const {
    const auto found = exits_.find(ptx_.block_of[header]);
    return found != exits_.end() && found->second == 1;
  }

private:
  Proof by_decisions(std::uint32_t instruction, const sass::Match& match) const {
    const Lines& wanted = in_ptx_.on(ptx_.block_of[instruction]);
    std::map<std::uint32_t, std::size_t> copies; // by block
    for (const std::uint32_t address : match.copies) ++copies[block_at(address)];
    const bool load = is_load(match.access.operation);
    if (copies.size() == 1 && copies.begin()->second == match.begins.size())
      return of_one(wanted, of_program(copies.begin()->first), load, match.access.guarded);
    // Rounds of a loop that are all there, and that nothing decides on, are done by all its lanes.
    const Lines once = without_rounds(wanted, instruction);
    bool all_rounds = !match.access.guarded;
    bool apart =
        match.access.guarded || !load; // a round in each block, for the lanes that it is for
    for (const auto& [block, count] : copies) {
      const Lines has = of_program(block);
      // Copies on both sides of a branch of their own part lanes that are together in the PTX.
      if (!within(has, wanted) || count % match.begins.size() != 0) return Proof::none;
      if (load && !match.access.guarded && !within(once, has)) return Proof::ahead;
      all_rounds = all_rounds && has == once;
      apart = apart && count == match.begins.size();
    }
    return all_rounds || apart ? Proof::exact : Proof::whole_warps;
  }

  static Proof of_one(const Lines& wanted, const Lines& has, bool load, bool guarded) {
    if (wanted == has) return Proof::exact;
    if (!within(has, wanted)) return Proof::none;
    return guarded || !load ? Proof::exact : Proof::ahead;
  }

  // Without the decisions that ptxas makes for itself, at lines that are no branch in the PTX: how
  // many rounds are left, whether an atomic has to try again, whether all lanes are there already.
  Lines of_program(std::uint32_t sass_block) const {
    std::set<std::uint32_t> lines;
    for (const std::uint32_t line : in_sass_.on(sass_block)) {
      const auto before = decided_at_.find(line);
      if (before != decided_at_.end())
        lines.insert(before->second);
      else if (branches_.contains(line))
        lines.insert(line);
    }
    return {lines.begin(), lines.end()};
  }

  // The decisions but for those to go round again in loops around the instruction.
  Lines without_rounds(const Lines& wanted, std::uint32_t instruction) const {
    const std::uint32_t home = ptx_.block_of[instruction];
    Lines lines;
    for (const std::uint32_t line : wanted) {
      const auto again = again_.find(line);
      if (again == again_.end() || !again->second.contains(home)) lines.push_back(line);
    }
    return lines;
  }

  std::uint32_t line_of_end(std::uint32_t block) const {
    return function_.body[ptx_.begins[block + 1] - 1].ptx_line;
  }

  std::uint32_t block_at(std::uint32_t address) const {
    const auto behind = std::upper_bound(
        kernel_.blocks.begin(), kernel_.blocks.end(), address,
        [](std::uint32_t at, const sass::Block& block) { return at < block.begin; });
    return static_cast<std::uint32_t>(behind - kernel_.blocks.begin()) - 1;
  }

  const ptx::Function& function_;
  const sass::Kernel& kernel_;
  ptx::PtxBlocks ptx_;
  Decisions in_ptx_, in_sass_;
  std::map<std::uint32_t, std::set<std::uint32_t>> again_; // branch line: blocks of its loop
  std::set<std::uint32_t> branches_;                       // lines of the PTX
  std::set<std::pair<std::uint32_t, sass::Operation>> guarded_alone_; // whose guard has their line
  // A jump that is all there is behind a branch, as in `@p bra A; bra B;`: the line of that branch,
  // with which ptxas makes one of it.
  std::map<std::uint32_t, std::uint32_t> decided_at_;
  std::map<std::uint32_t, std::uint32_t> exits_; // loop's first block: branches out of it
};

} // namespace

std::vector<Proof> proofs(const ptx::Function& function, const sass::Cubin& cubin,
                          const std::vector<sass::Match>& matches, const Arrangement& arrangement) {
  std::vector<Proof> result(matches.size(), Proof::whole_warps);
  const auto kernel =
      std::find_if(cubin.kernels.begin(), cubin.kernels.end(),
                   [&](const sass::Kernel& each) { return each.name == function.name; });
  // Of a function that several kernels call, or code with jumps through registers, there is no
  // graph.
  const bool known = function.is_entry && kernel != cubin.kernels.end() &&
                     !kernel->blocks.empty() && kernel->blocks.size() <= kMostBlocks &&
                     matches.size() == function.body.size();
  if (!known) return result;
  auto blocks = ptx::blocks_of(function);
  if (blocks.paths.size() > kMostBlocks) return result;
  const auto loops = ptx::all_loops(blocks.paths, kMostInLoops);
  if (!loops) return result;
  const Prover prover(function, *kernel, std::move(blocks), *loops);
  for (std::uint32_t i = 0; i < matches.size(); ++i)
    if (matches[i].status == sass::Match::Status::found) result[i] = prover.of(i, matches[i]);
  for (const Sunk& sunk : arrangement.sunk) result[sunk.instruction] = Proof::exact;
  for (const std::uint32_t instruction : arrangement.as_written) result[instruction] = Proof::exact;
  for (const Unrolled& loop : arrangement.loops)
    for (const Unrolled::Use& use : loop.uses)
      result[use.instruction] = prover.ends_in_one_place(loop.header) ? Proof::exact : Proof::none;
  for (std::uint32_t i = 0; i < matches.size(); ++i)
    if (matches[i].status == sass::Match::Status::found && prover.left_out_by_some(i, matches[i]))
      result[i] = Proof::none;
  return result;
}

} // namespace course::emulator
