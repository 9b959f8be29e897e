// Findings of the memory checker, gathered by one worker while blocks execute.
//
// The same thing at the same line is one finding with a count. The one kept is the first of the
// lowest block, so that the result does not depend on which worker executed what.
#pragma once

#include "device/device.hpp"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace course::emulator {

inline constexpr std::size_t kMostFindings = 100; // of each: notes, and others
// How often a block may do something wrong before its kernel is ended: no more is learned from it,
// and it may be that each time takes long. A program of one's own goes on where a GPU would.
inline constexpr std::uint64_t kMostErrors = 1'000'000;

// Accesses that an MMU refuses. The kernel was executed without them, and is over all the same.
constexpr bool is_fault(device::FindingKind kind) {
  using device::FindingKind;
  return kind == FindingKind::out_of_bounds || kind == FindingKind::misaligned ||
         kind == FindingKind::use_after_free || kind == FindingKind::read_only;
}
// Whether a GPU would have ended the kernel for it.
constexpr bool ends_kernel(const device::Finding& finding) {
  return is_fault(finding.kind) && !finding.survived;
}

// In the place of another site: the access lies behind an allocation, in memory that a GPU has
// there for it.
inline constexpr std::uint32_t kInPadding = 0xfffffffe;

class Findings {
public:
  struct Place { // what makes two findings one
    device::FindingKind kind{};
    std::uint32_t site = 0, other_site = 0; // indices in Program::sites
    auto operator<=>(const Place&) const = default;
  };
  struct Entry {
    device::Finding finding;
    std::uint64_t block = 0;   // linear index of the block that had it first
    bool across_warps = false; // some time it was of threads of different warps
  };

  // Whether it is new, and `describe` must be called with what describes it.
  bool is_new(const Place& place, std::uint64_t block) {
    Entry* const found = find(place);
    if (!found) return true;
    ++found->finding.count;
    return block < found->block;
  }
  void describe(const Place& place, std::uint64_t block, device::Finding finding) {
    Entry& entry = entries_[place];
    const std::uint64_t count = entry.finding.message.empty() ? 1 : entry.finding.count;
    entry = {std::move(finding), block, entry.across_warps};
    entry.finding.count = count;
  }

  // The threads of this occurrence, which has been reported, are of different warps.
  void across_warps(const Place& place) {
    if (Entry* const found = find(place)) found->across_warps = true;
  }
  // Where threads of different warps are concerned as well, a __syncwarp() is no advice.
  void settle_advice();

  // The one of a place ends its kernel; `say` makes its message of what it says already.
  template <typename Say>
  void make_fatal(const Place& place, Say&& say) {
    device::Finding& finding = entries_.at(place).finding;
    finding.fatal = true;
    finding.message = say(std::move(finding.message));
  }

  void add(const Findings& others);
  // Those of the same launch, executed again as far as it took: what is known is counted already,
  // and what ended it there is no news.
  void add_unknown(const Findings& others);
  // A note about a store that a race is about as well says nothing new.
  void drop_moot_notes();
  void clear() {
    entries_.clear();
    last_ = {};
  }
  const std::map<Place, Entry>& entries() const { return entries_; }

private:
  Entry* find(const Place& place) {
    if (last_.entry && last_.entry->first == place) return &last_.entry->second;
    const auto found = entries_.find(place);
    if (found == entries_.end()) return nullptr;
    last_.entry = &*found;
    return &found->second;
  }

  std::map<Place, Entry> entries_;
  // What was found last: the lanes of a request race at one place, and requests by the million.
  // Whoever has been given the entries has to look for it.
  struct Last {
    std::pair<const Place, Entry>* entry = nullptr;
    Last() = default;
    Last(const Last&) {}
    Last(Last&& from) noexcept { from.entry = nullptr; }
    Last& operator=(const Last& from) {
      if (this != &from) entry = nullptr;
      return *this;
    }
    Last& operator=(Last&& from) noexcept {
      entry = from.entry = nullptr;
      return *this;
    }
  } last_;
};

// Adds a launch's finding to those of the launches before. Of one kind and line, however many
// instructions and launches it has, one is kept.
void merge_finding(std::vector<device::Finding>& findings, const device::Finding& finding);

} // namespace course::emulator
