#include "device/emulator/execute/async_copy.hpp"

#include "device/emulator/check/history.hpp"
#include "device/emulator/check/note_access.hpp"
#include "device/emulator/check/products.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/execute/lane_access.hpp"
#include "device/emulator/execute/liberties.hpp"

#include <algorithm>
#include <iterator>

namespace course::emulator {
namespace {

// A copy may arrive at any time. A warp that never waits has its oldest ones arrive, so that it
// cannot fill this machine's memory.
constexpr std::size_t kMostInFlight = 1u << 16;

constexpr u32 kWord = 4;

// Those of a copy's words that `landed` names, of at most four.
void land_words(Block& block, const AsyncCopy& copy, u32 landed) {
  for (u32 left = landed; left; left &= left - 1) {
    const u32 at = kWord * lowest(left);
    std::memcpy(block.shared.bytes() + copy.to + at, copy.bytes.data() + at, kWord);
  }
}

// At liberty some of its words are there at once, whoever waits.
void land_early(Block& block, AsyncCopy& copy) {
  Liberties* const liberties = block.launch->liberties;
  if (!liberties || !liberties->some_land_early()) return;
  for (u32 word = 0; word < copy.access->element / kWord; ++word)
    if (liberties->lands_early()) copy.landed |= 1u << word;
  land_words(block, copy, copy.landed);
}

// Has copies arrive, in order. Those of one instruction are then a write like any other.
void complete(Warp& warp, const std::vector<AsyncCopy>& copies) {
  Block& block = *warp.block;
  for (std::size_t i = 0; i < copies.size();) {
    const MemoryOperand* access = copies[i].access;
    LaneOffsets at;
    at.of.fill(copies[i].to);
    u32 mask = 0;
    for (; i < copies.size() && copies[i].access == access && !(mask >> copies[i].lane); ++i) {
      const AsyncCopy& copy = copies[i];
      if (copy.landed) [[unlikely]]
        land_words(block, copy, ~copy.landed & ((1u << access->element / kWord) - 1));
      else
        std::memcpy(block.shared.bytes() + copy.to, copy.bytes.data(), access->element);
      block.landing.done(copy.to, access->element);
      if (copy.read) block.launch->histories->end_read(warp, copy.read);
      // Of lanes that bring the same to one place, the last stands for all.
      for (u32 left = mask; left; left &= left - 1)
        if (at.of[lowest(left)] == copy.to) mask &= ~(left & (0u - left));
      at.of[copy.lane] = copy.to;
      mask |= 1u << copy.lane;
    }
    if (block.checks) block.checker->shadow.write(warp, *access, mask, at);
  }
}

template <typename Done>
void complete_if(Warp& warp, Done&& done) {
  auto& copies = warp.copies.in_flight;
  std::vector<AsyncCopy> arrive;
  std::copy_if(copies.begin(), copies.end(), std::back_inserter(arrive), done);
  if (arrive.empty()) return;
  std::erase_if(copies, done);
  complete(warp, arrive);
}

void limit_in_flight(Warp& warp) {
  auto& copies = warp.copies.in_flight;
  if (copies.size() < kMostInFlight) return;
  const auto half = copies.begin() + kMostInFlight / 2;
  complete(warp, {copies.begin(), half});
  copies.erase(copies.begin(), half);
}

// What a lane brings: bytes of global memory, and zeros behind them.
void fetch(const Warp& warp, const MemoryOperand& source, u32 lane, u64 address, u32 bytes,
           AsyncCopy& copy) {
  Block& block = *warp.block;
  const Allocation& memory = *block.launch->memory->find(address);
  const u64 offset = address - memory.base;
  if (block.checks && memory.written && !memory.is_written(offset, bytes)) {
    block.checker->report(device::FindingKind::uninitialised, source.id, kNone, warp, lane, [&] {
      return unwritten(
          Message(Says::copies_from, Message(Says::bytes_into, memory.called(), offset)));
    });
  }
  std::memcpy(copy.bytes.data(), memory.bytes.get() + offset, bytes);
  if (Histories* histories = block.checks ? block.launch->histories : nullptr) {
    copy.read = histories->begin_read(warp, source, lane);
    histories->read_on(copy.read, memory, offset, bytes);
  }
}

// Two lanes of one instruction that copy to one place: which of them is last is open.
void check_one_place(Warp& warp, const MemoryOperand& access, std::size_t first_of_instruction) {
  Block& block = *warp.block;
  const auto& copies = warp.copies.in_flight;
  for (std::size_t i = first_of_instruction; i < copies.size(); ++i) {
    for (std::size_t k = first_of_instruction; k < i; ++k) {
      if (copies[k].to != copies[i].to || copies[k].bytes == copies[i].bytes) continue;
      block.checker->report(
          device::FindingKind::race, access.id, access.id, warp, copies[i].lane,
          [&] {
            return Message(Says::other_bytes_at_once,
                           Message(Says::copies_to,
                                   block.shared.layout().describe(copies[i].to, access.width())));
          },
          device::Meeting::one_instruction);
    }
  }
}

} // namespace

void start_copy(Warp& warp, const Operation& op, u32 mask) {
  Block& block = *warp.block;
  const MemoryOperand& access = *op.access;
  const MemoryOperand& source = *access.global;
  LaneOffsets to;
  LaneAddresses from;
  point(warp, access, to);
  point(warp, source, from);
  mask = check(warp, access, mask, to, block.shared.layout(), counter_of(block, access.id));
  if (!mask) return;

  // Lanes that bring nothing but zeros touch no global memory.
  const u32* sizes = lanes_at<const u32>(warp.frame, op.slot[1]);
  u32 reading = 0;
  for (u32 left = mask; left; left &= left - 1)
    if (sizes[lowest(left)] > 0) reading |= left & (0u - left);
  if (reading) reading = keep_valid(warp, source, reading, from);
  count_copy(counter_of(block, access.id), access, warp, mask, reading, from, to);
  if (reading) {
    LaneAddresses settled = from;
    settle(settled, reading);
    if (block.checks) {
      for (u32 left = reading; left; left &= left - 1) {
        const u64 address = from.of[lowest(left)];
        note_global(warp, source, left & (0u - left), *block.launch->memory->find(address), from);
      }
    }
    count_global(counter_of(block, source.id), source, warp, reading, settled);
  }
  u32 overwritten = 0;
  if (block.checks) overwritten = note_shared(warp, access, mask, to);

  limit_in_flight(warp);
  const std::size_t first = warp.copies.in_flight.size();
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = lowest(left);
    AsyncCopy& copy = warp.copies.in_flight.emplace_back();
    copy.number = warp.copies.started++;
    copy.group = warp.copies.committed[lane];
    copy.lane = lane;
    copy.to = to.of[lane];
    copy.access = &access;
    if (reading >> lane & 1)
      fetch(warp, source, lane, from.of[lane], std::min<u32>(sizes[lane], access.element), copy);
    block.landing.expect(copy.to, access.element);
    land_early(block, copy);
  }
  if (overwritten) check_one_place(warp, access, first);
}

void commit_copies(Warp& warp, const Operation&, u32 mask) {
  for (u32 left = mask; left; left &= left - 1) ++warp.copies.committed[lowest(left)];
}

void wait_for_groups(Warp& warp, const Operation& op, u32 mask) {
  complete_if(warp, [&](const AsyncCopy& copy) {
    return (mask >> copy.lane & 1) &&
           u64{copy.group} + op.immediate < warp.copies.committed[copy.lane];
  });
}

void wait_for_all(Warp& warp, const Operation&, u32 mask) {
  complete_if(warp, [&](const AsyncCopy& copy) { return (mask >> copy.lane & 1) != 0; });
}

void complete_copies(Warp& warp, u32 lane, u64 before) {
  complete_if(warp,
              [&](const AsyncCopy& copy) { return copy.lane == lane && copy.number < before; });
}

} // namespace course::emulator
