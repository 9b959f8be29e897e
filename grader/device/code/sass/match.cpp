#include "device/code/sass/access_widths.hpp"
#include "device/code/sass/wanted.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace course::sass {
namespace {

using Status = Match::Status;

// ptxas may find out which memory a generic address is in, and may forget it.
bool fits(const Wanted& wanted, const Access& access) {
  if (access.operation != wanted.operation) return false;
  return access.memory == wanted.memory || access.memory == Memory::generic ||
         (wanted.memory == Memory::generic && access.memory != Memory::none);
}

bool alike(const Access& a, const Access& b) {
  return a.width == b.width && a.atomic == b.atomic && a.matrices == b.matrices &&
         a.memory == b.memory && a.warp_aggregated == b.warp_aggregated;
}

// Where accesses of `width` bytes begin that take in all of `needed`, when the PTX address is
// `offset` bytes behind a multiple of `width`.
std::vector<std::int32_t> begins_of(const std::vector<std::int32_t>& needed, std::int64_t offset,
                                    std::int32_t width) {
  std::set<std::int32_t> result;
  const auto past = static_cast<std::int32_t>(offset & (width - 1));
  for (const std::int32_t at : needed) {
    const std::int32_t behind = (at + past) & (width - 1);
    // The one at the PTX address itself needs no correction, as addresses are rounded down.
    const std::int32_t begin = at - behind;
    result.insert(begin == -past ? 0 : begin);
  }
  return {result.begin(), result.end()};
}

// Whether each copy of an access, as told by the register of its address, comes with others that
// are as far apart as `begins`.
bool in_each_copy(const std::vector<std::int32_t>& begins, const std::vector<Access>& found) {
  if (found.size() % begins.size() != 0) return false;
  std::map<std::uint16_t, std::set<std::int32_t>> offsets;
  for (const Access& access : found) offsets[access.base].insert(access.offset);
  return std::all_of(offsets.begin(), offsets.end(), [&](const auto& copy) {
    return std::all_of(begins.begin(), begins.end(), [&](std::int32_t begin) {
      return copy.second.contains(*copy.second.begin() + begin - begins.front());
    });
  });
}

// Of a generic atomic, ptxas makes code for shared memory and code for the rest.
void keep_shared(std::vector<Access>& found) {
  const auto elsewhere = [](const Access& access) { return access.memory != Memory::shared; };
  if (!std::all_of(found.begin(), found.end(), elsewhere)) std::erase_if(found, elsewhere);
}

constexpr std::int64_t kWidest = 16; // bytes that a lane accesses at once

// The accesses of one function, and what the SASS at their lines and around them says of each.
class Matching {
public:
  Matching(const ptx::Function& function, const std::vector<std::optional<Wanted>>& wanted,
           const Addresses& shared)
      : function_(function), wanted_(wanted), values_(function), result_(wanted.size()),
        found_(wanted.size()), places_(wanted.size()), served_(wanted.size()) {
    for (std::uint32_t i = 0; i < wanted.size(); ++i) {
      if (!wanted_[i]) continue;
      places_[i] = values_.place(function.body[i]);
      if (const auto at = shared.find(places_[i].symbol); at != shared.end()) {
        places_[i].offset += at->second; // neighbours are neighbours, whatever their names
        places_[i].symbol.clear();
      }
      ++in_line_[{function.body[i].ptx_line, wanted_[i]->operation}];
    }
  }

  // The SASS at the instruction's line.
  void see(std::uint32_t i, std::span<const Access> at_line);
  std::vector<Match> finish();

private:
  bool is_gone(std::uint32_t i) const { return result_[i].status == Status::missing; }
  std::vector<std::int32_t> needed(std::uint32_t load) const;
  std::vector<std::uint32_t> gone_beside(std::uint32_t first) const;
  bool in_window(std::uint32_t i, std::uint32_t of) const;
  bool does_the_work(std::uint32_t i, std::uint32_t of) const;
  void find_splits(std::uint32_t first);
  void find_merged();
  void doubt_wide(std::uint32_t i);

  using Key = std::tuple<Operation, Place::Root, std::uint32_t, std::string, std::int64_t>;
  Key key(std::uint32_t i) const {
    const Place& at = places_[i];
    return {wanted_[i]->operation, at.root, at.reg, at.symbol, at.offset & -kWidest};
  }

  const ptx::Function& function_;
  const std::vector<std::optional<Wanted>>& wanted_;
  const Values values_;
  std::vector<Match> result_;
  std::vector<std::vector<Access>> found_; // at each instruction's line
  std::vector<Place> places_;
  std::vector<std::vector<std::uint32_t>> served_; // whose work each wide access does
  std::map<std::pair<std::uint32_t, Operation>, std::uint32_t> in_line_;
};

// The bytes of an access that somebody needs: offsets behind its PTX address, each of an element.
std::vector<std::int32_t> Matching::needed(std::uint32_t i) const {
  const ptx::Instruction& instruction = function_.body[i];
  const bool load = wanted_[i]->operation == Operation::load;
  const ptx::Vector* vector = nullptr;
  for (const ptx::Operand& operand : instruction.operands)
    if (const auto* found = std::get_if<ptx::Vector>(&operand.value)) vector = found;
  if (!vector) return {0};
  std::vector<std::int32_t> result;
  for (std::size_t part = 0; part < vector->elements.size(); ++part)
    if (!load || values_.needed(vector->elements[part]))
      result.push_back(static_cast<std::int32_t>(part * wanted_[i]->element));
  return result;
}

void Matching::see(std::uint32_t i, std::span<const Access> at_line) {
  const Wanted& want = *wanted_[i];
  Match& match = result_[i];
  std::vector<Access>& found = found_[i];
  for (const Access& access : at_line)
    if (fits(want, access)) found.push_back(access);
  if (want.operation == Operation::atomic) keep_shared(found);
  // A line of inline assembly may have several of a kind; the width tells them apart, and where it
  // does not, there must be as many in SASS.
  const std::uint32_t line = function_.body[i].ptx_line;
  if (in_line_.at({line, want.operation}) > 1 && !found.empty()) {
    std::uint32_t like_this = 0;
    for (std::uint32_t other = i; other-- > 0 && function_.body[other].ptx_line == line;)
      like_this += wanted_[other] && wanted_[other]->operation == want.operation &&
                   wanted_[other]->width == want.width;
    const std::uint32_t before = like_this;
    for (std::uint32_t other = i; other < wanted_.size() && function_.body[other].ptx_line == line;
         ++other)
      like_this += wanted_[other] && wanted_[other]->operation == want.operation &&
                   wanted_[other]->width == want.width;
    if (want.width != 0)
      std::erase_if(found, [&](const Access& access) { return access.width != want.width; });
    if (found.empty() || found.size() % like_this != 0) {
      match.status = Status::ambiguous;
      return;
    }
    const std::size_t each = found.size() / like_this;
    found = {found.begin() + static_cast<std::ptrdiff_t>(before * each),
             found.begin() + static_cast<std::ptrdiff_t>((before + 1) * each)};
  }
  if (found.empty()) {
    match.status = values_.needed(i) ? Status::missing : Status::merged_away;
    return;
  }
  match.access = found.front();
  match.begins = {0};
  for (const Access& access : found) match.copies.push_back(access.address);
  bool certain = std::all_of(found.begin(), found.end(),
                             [&](const Access& access) { return alike(access, found[0]); });
  const bool moves = want.operation == Operation::load || want.operation == Operation::store;
  if (want.is_tile) {
    match.is_tile = true;
    match.begins.assign(found.size(), 0);
  } else if (moves && match.access.width < want.width) {
    match.begins = match.access.width ? begins_of(needed(i), 0, match.access.width)
                                      : std::vector<std::int32_t>{};
    // Each copy of the instruction has all of them.
    certain &= !match.begins.empty() && found.size() % match.begins.size() == 0;
  }
  match.status = certain ? Status::found : Status::ambiguous;
}

// Accesses with no SASS at their lines that are reached through `first`.
std::vector<std::uint32_t> Matching::gone_beside(std::uint32_t first) const {
  constexpr std::uint32_t kFar = 512; // instructions
  std::vector<std::uint32_t> result;
  for (std::uint32_t i = first + 1; i < wanted_.size() && i < first + kFar; ++i) {
    if (!values_.straight(first, i)) break;
    if (wanted_[i] && is_gone(i) && wanted_[i]->operation == wanted_[first]->operation &&
        wanted_[i]->memory == wanted_[first]->memory)
      result.push_back(i);
  }
  return result;
}

// Loads of neighbours in 16 bytes that ptxas first merged and then split again, because nobody
// needs what lies between them. All parts have the line of the first.
void Matching::find_splits(std::uint32_t first) {
  Match& match = result_[first];
  std::vector<std::int32_t> all = needed(first);
  std::vector<std::uint32_t> parts;
  for (const std::uint32_t other : gone_beside(first)) {
    if (key(other) != key(first) || !values_.same_value(places_[first], first, other)) continue;
    parts.push_back(other);
    for (const std::int32_t at : needed(other))
      all.push_back(static_cast<std::int32_t>(places_[other].offset - places_[first].offset) + at);
  }
  if (parts.empty()) return;
  auto begins = begins_of(all, places_[first].offset, match.access.width);
  if (begins.size() < 2 || !in_each_copy(begins, found_[first])) return;
  match.begins = std::move(begins);
  for (const std::uint32_t part : parts) result_[part].status = Status::merged_away;
}

// Whether all bytes of `i` are among those of the SASS that was found for `of`.
bool Matching::in_window(std::uint32_t i, std::uint32_t of) const {
  const std::int64_t width = result_[of].access.width;
  if (width == 0 || wanted_[i]->width == 0) return false;
  const std::int64_t begin = places_[of].offset & -width;
  return places_[i].offset >= begin && places_[i].offset + wanted_[i]->width <= begin + width;
}

// Whether what was found for `of` does the work of `i`, for all of its lanes: a load that all of
// them have done or do, or a store that all of them do.
bool Matching::does_the_work(std::uint32_t i, std::uint32_t of) const {
  if (wanted_[i]->is_tile || wanted_[of]->is_tile || wanted_[i]->is_volatile) return false;
  if (result_[of].status != Status::found || !in_window(i, of)) return false;
  if (result_[of].access.width < wanted_[of]->width) return false;
  if (!places_[i].same_root(places_[of])) return false;
  const bool load = wanted_[i]->operation == Operation::load;
  if (load && values_.still_known(places_[i], of, i)) return true;
  if (!values_.same_value(places_[i], i, of)) return false;
  return values_.together(i, of) || (load && of < i && values_.straight(i, of));
}

void Matching::find_merged() {
  constexpr std::size_t kMost = 64; // neighbours that are tried
  std::map<Key, std::vector<std::uint32_t>> neighbours;
  for (std::uint32_t i = 0; i < wanted_.size(); ++i)
    if (wanted_[i] && result_[i].status == Status::found && places_[i].root != Place::Root::none)
      neighbours[key(i)].push_back(i);
  for (std::uint32_t i = 0; i < wanted_.size(); ++i) {
    if (!wanted_[i] || !is_gone(i)) continue;
    const auto found = neighbours.find(key(i));
    if (found == neighbours.end()) continue;
    // The nearest ones, before and behind.
    const auto& all = found->second;
    const auto middle = std::lower_bound(all.begin(), all.end(), i) - all.begin();
    const auto from = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, middle - 32));
    for (std::size_t n = from; n < all.size() && n < from + kMost; ++n) {
      if (!does_the_work(i, all[n])) continue;
      served_[all[n]].push_back(i);
      break;
    }
  }
}

// A wide access does the work of others. Where there are none, or stores that do not fill it, ptxas
// unrolled a loop and merged its rounds, and how often it executes cannot be told from PTX.
void Matching::doubt_wide(std::uint32_t i) {
  Match& match = result_[i];
  const Wanted& want = *wanted_[i];
  if (match.status != Status::found || want.width == 0 || match.access.width <= want.width) {
    for (const std::uint32_t other : served_[i]) result_[other].status = Status::merged_away;
    return;
  }
  std::set<std::int64_t> bytes;
  const auto fill = [&](std::uint32_t one) {
    for (std::uint32_t byte = 0; byte < wanted_[one]->width; ++byte)
      bytes.insert(places_[one].offset + byte);
  };
  fill(i);
  for (const std::uint32_t other : served_[i]) fill(other);
  const bool explained =
      want.operation == Operation::store ? bytes.size() == match.access.width : !served_[i].empty();
  if (!explained) {
    match.status = Status::ambiguous;
    return;
  }
  for (const std::uint32_t other : served_[i]) result_[other].status = Status::merged_away;
}

std::vector<Match> Matching::finish() {
  for (std::uint32_t i = 0; i < wanted_.size(); ++i) {
    if (result_[i].status != Status::found || wanted_[i]->operation != Operation::load ||
        result_[i].access.width == 0 || found_[i].size() < 2 || wanted_[i]->is_tile)
      continue;
    find_splits(i);
  }
  find_merged();
  for (std::uint32_t i = 0; i < wanted_.size(); ++i)
    if (wanted_[i]) doubt_wide(i);
  return std::move(result_);
}

} // namespace

Matcher::Matcher(Cubin cubin) : cubin_(std::move(cubin)) {
  for (const Kernel& kernel : cubin_.kernels) {
    accesses_.insert(accesses_.end(), kernel.accesses.begin(), kernel.accesses.end());
    lines_.insert(lines_.end(), kernel.ptx_lines.begin(), kernel.ptx_lines.end());
  }
  std::stable_sort(accesses_.begin(), accesses_.end(),
                   [](const Access& a, const Access& b) { return a.ptx_line < b.ptx_line; });
  std::sort(lines_.begin(), lines_.end());
}

std::span<const Access> Matcher::at_line(std::uint32_t ptx_line) const {
  const auto by_line = [](const Access& a, std::uint32_t line) { return a.ptx_line < line; };
  const auto begin = std::lower_bound(accesses_.begin(), accesses_.end(), ptx_line, by_line);
  const auto end = std::lower_bound(begin, accesses_.end(), ptx_line + 1, by_line);
  return {begin, end};
}

bool Matcher::covers(const ptx::Function& function) const {
  if (function.body.empty()) return false;
  const auto line = std::lower_bound(lines_.begin(), lines_.end(), function.body.front().ptx_line);
  return line != lines_.end() && *line <= function.body.back().ptx_line;
}

// Whether each SASS access falls on a line of PTX that can have made it. Otherwise the lines are
// not those of this PTX, whatever they are.
bool Matcher::kinds_fit(const ptx::Function& function,
                        const std::vector<std::optional<Wanted>>& wanted) const {
  std::multimap<std::uint32_t, const Wanted*> by_line;
  std::set<std::uint32_t> tiles; // lines of wmma, where ptxas has accesses of several kinds
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i]) continue;
    by_line.emplace(function.body[i].ptx_line, &*wanted[i]);
    if (wanted[i]->is_tile) tiles.insert(function.body[i].ptx_line);
  }
  for (std::uint32_t line = function.body.front().ptx_line; line <= function.body.back().ptx_line;
       ++line) {
    for (const Access& access : at_line(line)) {
      const bool told = access.memory == Memory::shared || access.memory == Memory::global ||
                        access.operation == Operation::shuffle;
      if (!told || tiles.contains(line)) continue; // ptxas has reasons of its own for the others
      const auto [first, last] = by_line.equal_range(line);
      const bool fit = std::any_of(first, last, [&](const auto& entry) {
        const Wanted& want = *entry.second;
        // An atomic may be a loop of loads and attempts.
        return fits(want, access) || want.operation == Operation::atomic;
      });
      if (!fit) return false;
    }
  }
  return true;
}

std::vector<Match> Matcher::match(const ptx::Function& function, const Addresses& shared) const {
  std::vector<std::optional<Wanted>> all;
  for (const auto& instruction : function.body) all.push_back(wanted(instruction));
  if (!covers(function) || !kinds_fit(function, all)) {
    std::vector<Match> unknown(all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i]) unknown[i].status = Status::unknown;
    return unknown;
  }
  Matching matching(function, all, shared);
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (all[i]) matching.see(i, at_line(function.body[i].ptx_line));
  return matching.finish();
}

} // namespace course::sass
