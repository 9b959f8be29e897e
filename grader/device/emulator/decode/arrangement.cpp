#include "device/emulator/decode/arrangement.hpp"

#include "device/code/ptx/paths.hpp"
#include "device/emulator/decode/operation.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace course::emulator {
namespace {

using sass::Match;

constexpr std::uint32_t kInstructionBytes = 16;
constexpr std::uint32_t kMostRounds = 64; // that are kept for each warp; ptxas takes 4 or 8

// One kernel, as PTX and as SASS.
class Both {
public:
  Both(const ptx::Function& function, const sass::Kernel& kernel, const std::vector<Match>& matches)
      : function_(function), kernel_(kernel), matches_(matches), ptx_(ptx::blocks_of(function)),
        sass_(graph_of(kernel)) {
    for (std::uint32_t i = 0; i < function.body.size(); ++i)
      ++instructions_[function.body[i].ptx_line], first_[function.body[i].ptx_line] = i;
  }

  void find_loops(Arrangement&) const;
  std::vector<Sunk> sunk(const std::vector<Unrolled>&) const;

private:
  static ptx::Paths graph_of(const sass::Kernel& kernel) {
    std::vector<std::vector<std::uint32_t>> successors;
    for (const sass::Block& block : kernel.blocks) successors.push_back(block.successors);
    successors.emplace_back(); // the end of the thread
    return ptx::Paths(std::move(successors));
  }

  std::uint32_t sass_block(std::uint32_t address) const {
    const auto behind = std::upper_bound(
        kernel_.blocks.begin(), kernel_.blocks.end(), address,
        [](std::uint32_t at, const sass::Block& block) { return at < block.begin; });
    return static_cast<std::uint32_t>(behind - kernel_.blocks.begin()) - 1;
  }
  std::uint32_t line_before(std::uint32_t address) const {
    const std::uint32_t instruction = address / kInstructionBytes - 1;
    return instruction < kernel_.line_of.size() ? kernel_.line_of[instruction] : 0;
  }
  // Nothing for lines of several instructions.
  std::optional<std::uint32_t> instruction_at(std::uint32_t ptx_line) const {
    const auto found = instructions_.find(ptx_line);
    if (found == instructions_.end() || found->second != 1) return std::nullopt;
    return first_.at(ptx_line);
  }

  bool is_load_or_store(std::uint32_t instruction) const {
    const Match& match = matches_[instruction];
    return match.status == Match::Status::found && match.access.width != 0 && !match.is_tile &&
           (match.access.operation == sass::Operation::load ||
            match.access.operation == sass::Operation::store) &&
           match.access.memory != sass::Memory::constant &&
           match.access.memory != sass::Memory::local;
  }
  // How often blocks of the SASS have an access; empty when the copies are not complete.
  using Copies = std::map<std::uint32_t, std::uint32_t>; // by block
  Copies copies(std::uint32_t instruction) const;
  using Uses = std::map<std::uint32_t, Copies>; // by instruction
  static std::vector<std::uint32_t> instructions_of(const Uses& uses) {
    std::vector<std::uint32_t> all;
    for (const auto& [instruction, where] : uses) all.push_back(instruction);
    return all;
  }
  bool repeats(std::uint32_t sass_block) const {
    const auto& next = sass_.successors(sass_block);
    return std::find(next.begin(), next.end(), sass_block) != next.end();
  }

  // An unrolled loop, or the instructions of one that is as written; neither where it is not known.
  using Found = std::pair<std::optional<Unrolled>, std::vector<std::uint32_t>>;
  Found unrolled(const std::vector<std::uint32_t>& body) const;
  Found peeled(Unrolled, const Uses&, std::uint32_t front) const;
  std::optional<std::uint32_t> exit_of(const std::vector<std::uint32_t>& body) const;
  // Whether lanes part in a loop's body only to leave it, and in one place.
  bool is_chain(const std::vector<std::uint32_t>& body) const;
  bool is_before(std::uint32_t load, std::uint32_t branch) const;
  std::optional<std::uint32_t> moved_to(std::uint32_t load) const;
  std::optional<std::uint32_t> side_of(std::uint32_t branch, std::uint32_t sass_side) const;

  const ptx::Function& function_;
  const sass::Kernel& kernel_;
  const std::vector<Match>& matches_;
  ptx::PtxBlocks ptx_;
  ptx::Paths sass_;
  std::map<std::uint32_t, std::uint32_t> instructions_, first_; // number and index by PTX line
};

Both::Copies Both::copies(std::uint32_t instruction) const {
  if (!instruction_at(function_.body[instruction].ptx_line)) return {};
  Copies result;
  const Match& match = matches_[instruction];
  for (const std::uint32_t address : match.copies) ++result[sass_block(address)];
  for (auto& [block, count] : result) {
    if (count % match.begins.size() != 0) return {};
    count /= static_cast<std::uint32_t>(match.begins.size());
  }
  return result;
}

// ---- loops

// Where all lanes go that leave a loop: the first instruction of one block.
std::optional<std::uint32_t> Both::exit_of(const std::vector<std::uint32_t>& body) const {
  std::set<std::uint32_t> exits;
  for (const std::uint32_t block : body)
    for (const std::uint32_t next : ptx_.paths.successors(block))
      if (next != body.front() && !std::binary_search(body.begin() + 1, body.end(), next))
        exits.insert(next);
  if (exits.size() != 1 || *exits.begin() == ptx_.end()) return std::nullopt;
  return ptx_.begins[*exits.begin()];
}

bool Both::is_chain(const std::vector<std::uint32_t>& body) const {
  std::uint32_t exits = 0;
  for (const std::uint32_t block : body) {
    const auto& next = ptx_.paths.successors(block);
    const auto inside = std::count_if(next.begin(), next.end(), [&](std::uint32_t to) {
      return std::find(body.begin(), body.end(), to) != body.end();
    });
    if (inside > 1) return false;
    exits += inside < static_cast<std::ptrdiff_t>(next.size()) ? 1 : 0;
  }
  return exits == 1;
}

Both::Found Both::unrolled(const std::vector<std::uint32_t>& body) const {
  const auto exit = exit_of(body);
  if (!exit) return {};
  Unrolled loop;
  loop.header = ptx_.begins[body.front()];
  loop.exit = *exit;

  Uses uses;
  Copies rounds; // the most of any access
  for (const std::uint32_t block : body) {
    for (std::uint32_t i = ptx_.begins[block]; i < ptx_.begins[block + 1]; ++i) {
      if (!is_load_or_store(i)) continue;
      const auto where = copies(i);
      if (where.empty()) return {};
      uses[i] = where;
      for (const auto& [at, count] : where) rounds[at] = std::max(rounds[at], count);
    }
  }
  // Rounds each in a block of its own, with an exit of its own.
  const bool apart = std::all_of(uses.begin(), uses.end(), [&](const auto& use) {
    return use.second.size() == rounds.size() &&
           std::all_of(use.second.begin(), use.second.end(),
                       [](const auto& where) { return where.second == 1; });
  });
  if (rounds.size() > 1 && apart && is_chain(body)) return {std::nullopt, instructions_of(uses)};
  if (rounds.size() == 2 && !repeats(rounds.begin()->first) && repeats(rounds.rbegin()->first)) {
    Found found = peeled(std::move(loop), uses, rounds.begin()->first);
    if (!is_chain(body)) found.second.clear();
    return found;
  }
  std::uint32_t before = 0, covered = 0;
  for (const auto& [at, count] : rounds) {
    // The first repeats, and each one behind it has less to do.
    if (loop.chunks.empty() ? !repeats(at) : count >= before) return {};
    if (!loop.chunks.empty()) covered += repeats(at) ? loop.chunks[0].rounds : count;
    loop.chunks.push_back({count, repeats(at)});
    before = count;
  }
  const bool has_rest = loop.chunks.size() > 1;
  if (loop.chunks.empty() || loop.chunks[0].rounds > kMostRounds) return {};
  if (has_rest && covered + 1 < loop.chunks[0].rounds) return {};
  bool all_rounds = true;
  for (const auto& [instruction, where] : uses) {
    Unrolled::Use use;
    use.instruction = instruction;
    for (const auto& [at, count] : rounds) {
      const auto here = where.find(at);
      use.executed.push_back(here == where.end() ? 0 : here->second);
      all_rounds = all_rounds && use.executed.back() == count;
    }
    loop.uses.push_back(std::move(use));
  }
  if (!has_rest && all_rounds)
    return {std::nullopt, is_chain(body) ? instructions_of(uses) : std::vector<std::uint32_t>{}};
  return {std::move(loop), {}};
}

// The rounds in front of a loop, which are fewer for a load than for what else is in its block.
Both::Found Both::peeled(Unrolled loop, const Uses& uses, std::uint32_t front) const {
  std::map<std::uint32_t, std::uint32_t> rounds; // of each block of PTX
  const auto in_front = [&](const Copies& where) {
    const auto found = where.find(front);
    return found == where.end() ? 0 : found->second;
  };
  for (const auto& [instruction, where] : uses) {
    std::uint32_t& most = rounds[ptx_.block_of[instruction]];
    most = std::max(most, in_front(where));
  }
  for (const auto& [instruction, where] : uses) {
    if (matches_[instruction].access.operation != sass::Operation::load) continue;
    const std::uint32_t merged = rounds[ptx_.block_of[instruction]] - in_front(where);
    if (merged > 0 && merged <= kMostRounds) loop.uses.push_back({instruction, {}, merged});
  }
  if (!loop.uses.empty()) return {std::move(loop), {}};
  const bool one_round = std::all_of(uses.begin(), uses.end(), [&](const auto& use) {
    return use.second.size() == 2 && use.second.rbegin()->second == 1;
  });
  return {std::nullopt, one_round ? instructions_of(uses) : std::vector<std::uint32_t>{}};
}

void Both::find_loops(Arrangement& result) const {
  for (const auto& body : ptx::innermost_loops(ptx_.paths)) {
    auto [loop, as_written] = unrolled(body);
    if (loop) result.loops.push_back(std::move(*loop));
    result.as_written.insert(result.as_written.end(), as_written.begin(), as_written.end());
  }
}

// ---- loads behind a branch

// Which way of a PTX branch is that of a branch of the SASS: the one whose instructions are there.
std::optional<std::uint32_t> Both::side_of(std::uint32_t branch, std::uint32_t sass_side) const {
  const std::uint32_t from = ptx_.block_of[branch];
  const auto& ways = ptx_.paths.successors(from);
  std::vector<std::uint32_t> score(ways.size());
  for (std::uint32_t block = 0; block < kernel_.blocks.size(); ++block) {
    if (!sass_.dominates(sass_side, block)) continue;
    const auto& [begin, end, successors] = kernel_.blocks[block];
    for (std::uint32_t at = begin; at < end; at += kInstructionBytes) {
      const auto instruction = instruction_at(line_before(at + kInstructionBytes));
      if (!instruction) continue;
      for (std::size_t way = 0; way < ways.size(); ++way)
        score[way] += ptx_.paths.only_from(from, ways[way]) &&
                      ptx_.paths.dominates(ways[way], ptx_.block_of[*instruction]);
    }
  }
  const auto best = std::max_element(score.begin(), score.end());
  if (best == score.end() || *best == 0 || std::count(score.begin(), score.end(), *best) > 1)
    return std::nullopt;
  const std::uint32_t way = ways[static_cast<std::size_t>(best - score.begin())];
  if (way == ptx_.end()) return std::nullopt;
  return ptx_.begins[way];
}

// Whether a load comes before a branch in the PTX: on all ways to it, or on all ways from itself.
bool Both::is_before(std::uint32_t load, std::uint32_t branch) const {
  const std::uint32_t home = ptx_.block_of[load], branches = ptx_.block_of[branch];
  if (home == branches) return load < branch;
  if (ptx_.paths.dominates(branches, home)) return false;
  if (ptx_.paths.dominates(home, branches)) return true;
  for (std::uint32_t next = home; next != kNowhere; next = ptx_.meet[next])
    if (next == branches) return true;
  return false;
}

// The innermost branch that the GPU takes before a load, and the PTX after it.
std::optional<std::uint32_t> Both::moved_to(std::uint32_t load) const {
  const auto where = copies(load);
  if (where.size() != 1 || where.begin()->second != 1) return std::nullopt;
  const std::uint32_t here = where.begin()->first;
  for (std::uint32_t at = sass_.dominator(here); at != kNowhere; at = sass_.dominator(at)) {
    const auto& next = sass_.successors(at);
    const auto side = std::find_if(next.begin(), next.end(), [&](std::uint32_t way) {
      return sass_.only_from(at, way) && sass_.dominates(way, here);
    });
    if (next.size() < 2 || side == next.end()) continue;
    const auto branch = instruction_at(line_before(kernel_.blocks[at].end));
    if (!branch || !function_.body[*branch].guard) continue;
    const std::uint32_t branches = ptx_.block_of[*branch];
    if (ptx_.paths.successors(branches).size() == 2 && is_before(load, *branch))
      return side_of(*branch, *side);
  }
  return std::nullopt;
}

std::vector<Sunk> Both::sunk(const std::vector<Unrolled>& unrolled_loops) const {
  std::set<std::uint32_t> in_loops;
  for (const Unrolled& loop : unrolled_loops)
    for (const Unrolled::Use& use : loop.uses) in_loops.insert(use.instruction);
  std::vector<Sunk> result;
  for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
    if (!is_load_or_store(i) || in_loops.contains(i)) continue;
    if (matches_[i].access.operation != sass::Operation::load) continue;
    if (const auto to = moved_to(i)) result.push_back({i, *to});
  }
  return result;
}

} // namespace

Arrangement arrangement(const ptx::Function& function, const sass::Cubin& cubin,
                        const std::vector<Match>& matches) {
  if (!function.is_entry || matches.size() != function.body.size()) return {};
  const auto kernel =
      std::find_if(cubin.kernels.begin(), cubin.kernels.end(),
                   [&](const sass::Kernel& each) { return each.name == function.name; });
  if (kernel == cubin.kernels.end() || kernel->blocks.empty()) return {};
  const Both both(function, *kernel, matches);
  Arrangement result;
  both.find_loops(result);
  result.sunk = both.sunk(result.loops);
  return result;
}

} // namespace course::emulator
