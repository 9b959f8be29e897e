#include "device/emulator/execute/known_launches.hpp"

#include "device/emulator/check/findings.hpp"
#include "device/emulator/state/device_heap.hpp"

#include <algorithm>
#include <type_traits>

namespace course::emulator {
namespace {

constexpr std::size_t kMostKnown = 4096, kMostCases = 64;
constexpr unsigned kMostMissed = 64; // of one, and nobody looks for contents that come back
constexpr std::uint64_t kMostBytes = 256u << 20;
constexpr std::uint64_t kSmall = 20'000; // warp-instructions; kept when it comes again

Allocation* at(GlobalMemory& memory, device::Address base) {
  Allocation* found = memory.find(base);
  return found && !found->freed && found->base == base ? found : nullptr;
}

std::vector<std::pair<device::Address, std::uint64_t>>
numbers(GlobalMemory& memory, const std::vector<device::Address>& bases) {
  std::vector<std::pair<device::Address, std::uint64_t>> all;
  for (const device::Address base : bases)
    if (Allocation* there = at(memory, base))
      all.emplace_back(base, there->contents.number(*there));
  return all;
}

// Whether all that it depends on, and all that it does, is known.
bool may_be_kept(const Launch& launch, const GridResult& result, const Effects& effects) {
  const auto is_ours = [](const Allocation* memory) {
    return !memory->freed && memory->bytes.get_deleter().owned;
  };
  const auto leaves = [](const auto& entry) { // an allocation, and what is there may be another's
    return is_fault(entry.second.finding.kind);
  };
  return !result.ended && !result.stopped && result.printed.empty() &&
         !launch.memory->heap().is_used() && !launch.memory->is_read_unseen() &&
         std::ranges::all_of(effects.touched, is_ours) &&
         std::ranges::none_of(result.findings.entries(), leaves);
}

} // namespace

std::string KnownLaunches::key_of(const Launch& launch) {
  std::string key(reinterpret_cast<const char*>(launch.arguments->data()),
                  launch.arguments->size());
  const auto add = [&key](auto value) {
    static_assert(std::has_unique_object_representations_v<decltype(value)>);
    key.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  add(reinterpret_cast<std::uintptr_t>(launch.entry));
  for (const device::Dim3& size : {launch.grid, launch.block, launch.cluster}) {
    add(size.x);
    add(size.y);
    add(size.z);
  }
  add(launch.dynamic_shared);
  add(launch.grid_workspace);
  key += launch.explicit_cluster ? 'c' : ' ';
  return key;
}

bool KnownLaunches::is_as(const Case& before, GlobalMemory& memory) {
  return std::ranges::all_of(before.before, [&memory](const Number& number) {
    Allocation* there = at(memory, number.first);
    return there && there->contents.number(*there) == number.second;
  });
}

std::shared_ptr<const GridResult> KnownLaunches::find(const Launch& launch) {
  if (all_.size() >= kMostKnown) forget();
  Known& known = all_[key_of(launch)];
  last_ = &known;
  ++known.seen;
  known.before.clear();
  GlobalMemory& memory = *launch.memory;
  for (std::size_t i = known.cases.size(); i-- > 0;) {
    const Case& before = known.cases[i];
    if (before.result->counts.instructions > launch.budget || !is_as(before, memory)) continue;
    for (const PageAfter& page : before.pages) {
      Allocation& there = *at(memory, page.base);
      page.is->put_back(there, page.index);
      there.contents.changed(page.index * kPageBytes, 1);
    }
    for (const auto& [base, number] : before.after) {
      Allocation& there = *at(memory, base);
      there.contents.become(there, number);
    }
    known.missed = 0;
    return before.result;
  }
  if (known.seen > 1 && ++known.missed <= kMostMissed) look_at(known, memory);
  return nullptr;
}

// It came again, and memory is not what it was: perhaps that comes again as well.
void KnownLaunches::look_at(Known& known, GlobalMemory& memory) {
  for (const device::Address base : known.touched)
    if (Allocation* there = at(memory, base)) there->contents.know_again(*there);
  known.before = numbers(memory, known.touched);
}

void KnownLaunches::drop_cases(Known& known) {
  for (const Case& one : known.cases) bytes_ -= one.pages.size() * sizeof(FootprintPage::Before);
  known.cases.clear();
}

void KnownLaunches::keep(const Launch& launch, bool asked,
                         const std::shared_ptr<const GridResult>& result, const Effects& effects) {
  for (const auto& [memory, page] : effects.stored) memory->contents.changed(page * kPageBytes, 1);
  Known* const known = std::exchange(last_, nullptr);
  if (!asked || !known) return;
  if (!may_be_kept(launch, *result, effects)) return drop_cases(*known);
  known->touched.clear();
  for (const Allocation* memory : effects.touched) known->touched.push_back(memory->base);
  if (known->seen == 1 && result->counts.instructions < kSmall) return;
  const auto after = numbers(*launch.memory, known->touched);
  const bool is_same = known->before == after; // it has changed nothing
  if (!is_same) keep_changes(*known, result, effects, after);
  const auto is_last = [&after](const Case& one) { return one.before == after; };
  if (!(effects.reads_others || is_same) || std::ranges::any_of(known->cases, is_last)) return;
  if (known->cases.size() >= kMostCases) drop_cases(*known);
  known->cases.push_back({after, {}, {}, result});
}

void KnownLaunches::keep_changes(Known& known, const std::shared_ptr<const GridResult>& result,
                                 const Effects& effects, const std::vector<Number>& after) {
  const auto is_known = [&known](device::Address base) {
    return std::ranges::any_of(known.before,
                               [base](const Number& number) { return number.first == base; });
  };
  const std::uint64_t bytes = effects.stored.size() * sizeof(FootprintPage::Before);
  if (!std::ranges::all_of(known.touched, is_known) || bytes_ + bytes > kMostBytes) return;
  if (known.cases.size() >= kMostCases) drop_cases(known);
  Case& now = known.cases.emplace_back(Case{known.before, {}, {}, result});
  for (const Number& number : after)
    if (std::ranges::find(known.before, number) == known.before.end()) now.after.push_back(number);
  for (const auto& [allocation, index] : effects.stored) {
    PageAfter& page = now.pages.emplace_back();
    page.base = allocation->base;
    page.index = index;
    page.is = std::unique_ptr<FootprintPage::Before>(new FootprintPage::Before);
    page.is->take(*allocation, index);
  }
  bytes_ += bytes;
}

} // namespace course::emulator
