// What asynchronous copies read in global memory. A copy may read its source at any time from when
// it is asked for until it has come, so a store has to be behind the wait for it, and not behind
// the request alone. While it is under way every store to its source is wrong; once it has come, it
// counts as read then, by the thread that asked.
#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/history_request.hpp"
#include "device/emulator/check/proxies.hpp"
#include "device/emulator/check/saying.hpp"

#include <utility>

namespace course::emulator {

std::uint64_t Histories::begin_read(const Warp& warp, const MemoryOperand& access,
                                    std::uint32_t lane) {
  LongRead& read = under_way_[++reads_begun_];
  read.past.block = warp.block->linear;
  read.past.record = record(warp.stamp, access.id, warp.index);
  read.past.lanes = 1u << lane;
  read.access = &access;
  return reads_begun_;
}

void Histories::read_on(std::uint64_t number, const Allocation& memory, std::uint64_t offset,
                        std::uint64_t bytes) {
  LongRead& read = under_way_.at(number);
  for (Word* const word : words_in_conflict(memory, offset, bytes)) {
    read.words.push_back(word);
    read_by_copies_.emplace(word, number);
  }
}

void Histories::end_read(const Warp& warp, std::uint64_t number) {
  const auto found = under_way_.find(number);
  if (found == under_way_.end()) return; // it went to several blocks, and came to one of them
  LongRead read = std::move(found->second);
  under_way_.erase(found);
  read.past.record = record(warp.stamp, read.access->id, warp.index);
  read.past.when = ++requests_;
  for (Word* word : read.words) {
    auto [each, end] = read_by_copies_.equal_range(word);
    while (each != end && each->second != number) ++each;
    if (each != end) read_by_copies_.erase(each);
    word->reads.add(read.past);
  }
}

void Histories::report_read_on(const Request& request, const Word& word) {
  if (read_by_copies_.empty()) return;
  const u32 lane = lowest(request.lanes);
  Block& block = *request.warp.block;
  const auto [first, end] = read_by_copies_.equal_range(&word);
  for (auto each = first; each != end; ++each) {
    const PastAccess& past = under_way_.at(each->second).past;
    const Record record = past.record | lowest(past.lanes);
    if (!happened_before(request.warp, lane, past.block, record)) continue;
    block.checker->report(
        device::FindingKind::race, request.access.id, site_of(record), request.warp, lane,
        [&] {
          const u64 offset = request.at.of[lane] - request.memory.base;
          return Message(
              Says::copy_still_reads_source,
              does(request.access, request.memory.element(offset, request.access.width())),
              who_stored(block, {past.block, record}));
        },
        device::Meeting::copy_in_flight);
    return;
  }
}

} // namespace course::emulator
