#include "device/emulator/execute/bulk_copy.hpp"

#include "device/emulator/check/history.hpp"
#include "device/emulator/check/note_access.hpp"
#include "device/emulator/check/proxies.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/check/sent_sources.hpp"
#include "device/emulator/check/way_trace.hpp"
#include "device/emulator/execute/atomics.hpp"
#include "device/emulator/execute/bulk_transfer.hpp"
#include "device/emulator/execute/lane_access.hpp"
#include "device/emulator/execute/liberties.hpp"
#include "device/emulator/execute/mbarrier.hpp"
#include "device/emulator/execute/remote_memory.hpp"

#include <algorithm>

namespace course::emulator {
namespace {

using device::FindingKind;

LaneOffsets all_at(u32 offset) {
  LaneOffsets at;
  at.of.fill(offset);
  return at;
}
LaneAddresses all_at(u64 address) {
  LaneAddresses at;
  at.of.fill(address);
  return at;
}

// What a GPU does not say, or says by ending the kernel: it ends here as well, by name.
bool follows_rules(Warp& warp, const MemoryOperand& access, u32 lane, u64 shared, u64 other,
                   u32 size) {
  Block& block = *warp.block;
  const auto& source = block.launch->program->sites()[access.id].source;
  const auto fail = [&](FindingKind kind, Message message) {
    block.checker->fail(kind, source, warp, lane, std::move(message));
    return false;
  };
  if (size % kBulkChunk != 0)
    return fail(FindingKind::bulk_copy,
                Message(Says::bulk_of_odd_size, Count{size}, Count{size - size % kBulkChunk}));
  if (shared % kBulkChunk != 0)
    return fail(FindingKind::misaligned,
                Message(Says::bulk_misaligned,
                        block.shared.layout().describe(static_cast<u32>(shared), 1)));
  if (other % kBulkChunk != 0)
    return fail(FindingKind::misaligned,
                Message(Says::bulk_misaligned, block.launch->memory->describe(other)));
  return true;
}

bool in_shared(Warp& warp, const MemoryOperand& access, u32 lane, const Block& owner, u32 offset,
               u32 size) {
  const Layout& layout = owner.shared.layout();
  if (layout.inside(layout.array_at(offset), offset, size)) return true;
  warp.block->checker->report(FindingKind::out_of_bounds, access.id, kNone, warp, lane, [&] {
    const bool begins_inside = layout.inside(layout.array_at(offset), offset, 1);
    return Message(begins_inside ? Says::bulk_past_array : Says::bulk_is, Count{size},
                   layout.describe(offset, 1));
  });
  return false;
}

} // namespace

Allocation* in_global(Warp& warp, const MemoryOperand& access, u32 lane, u64 address, u32 size) {
  GlobalMemory& memory = *warp.block->launch->memory;
  Allocation* there = memory.find(address);
  if (there && !there->freed && there->holds(address, size))
    return is_refused(warp, access, lane, *there, address) ? nullptr : there;
  const auto kind =
      there && there->freed ? FindingKind::use_after_free : FindingKind::out_of_bounds;
  warp.block->checker->report(kind, access.id, kNone, warp, lane, [&] {
    if (there && there->freed) return Message(Says::bulk_in_freed, Count{size}, there->called());
    return Message(there ? Says::bulk_past_end : Says::bulk_is_at, Count{size},
                   memory.describe(address));
  });
  return nullptr;
}

namespace {

void count_global_side(Warp& warp, const MemoryOperand& global, u32 lane, u64 address, u32 size) {
  count_bulk(counter_of(*warp.block, global.id), global, warp, lane, address, size,
             sectors_of(address, size));
}

// Whether all bytes to copy have been written.
void check_source(Warp& warp, const MemoryOperand& access, u32 lane, const Allocation& memory,
                  u64 offset, u32 size) {
  if (!memory.written || memory.is_written(offset, size)) return;
  warp.block->checker->report(FindingKind::uninitialised, access.id, kNone, warp, lane, [&] {
    return Message(Says::partly_unwritten, Count{size}, memory.element(offset, 4));
  });
}

} // namespace

void note_chunks(Warp& warp, const MemoryOperand& access, u32 lane, Allocation& memory, u64 address,
                 u32 size) {
  if (!warp.block->checks) return;
  for (u32 at = 0; at + kBulkChunk <= size; at += kBulkChunk)
    note_global(warp, access, 1u << lane, memory, all_at(address + at));
}

u64 begin_read(const Warp& warp, const MemoryOperand& access, u32 lane) {
  Histories* const histories = warp.block->checks ? warp.block->launch->histories : nullptr;
  return histories ? histories->begin_read(warp, access, lane) : 0;
}

std::vector<std::byte> fetch_global(Warp& warp, const MemoryOperand& access, u32 lane, u64 address,
                                    u32 size, u64 read) {
  std::vector<std::byte> bytes(size, std::byte{0xff});
  Allocation* memory = size ? in_global(warp, access, lane, address, size) : nullptr;
  if (!memory) return bytes;
  if (warp.block->checks) check_source(warp, access, lane, *memory, address - memory->base, size);
  note_chunks(warp, access, lane, *memory, address, size);
  if (read) warp.block->launch->histories->read_on(read, *memory, address - memory->base, size);
  std::memcpy(bytes.data(), memory->bytes.get() + (address - memory->base), size);
  return bytes;
}

std::vector<std::byte> fetch_shared(Warp& warp, const MemoryOperand& access, u32 lane, u32 offset,
                                    u32 size) {
  Block& block = *warp.block;
  std::vector<std::byte> bytes(size, std::byte{0xff});
  if (!size || !in_shared(warp, access, lane, block, offset, size)) return bytes;
  if (block.checks) {
    for (u32 at = 0; at < size; at += kBulkChunk) {
      const LaneOffsets here = all_at(offset + at);
      block.checker->shadow.read(warp, access, 1u << lane, here);
      if (block.landing.copies) check_in_flight(warp, access, 1u << lane, here);
    }
    check_proxy(warp, access, lane, offset, size);
  }
  std::memcpy(bytes.data(), block.shared.bytes() + offset, size);
  return bytes;
}

namespace {

template <typename F> // f(place of an element, its bits as they come)
void for_elements(const std::vector<std::byte>& bytes, u32 element, std::byte* to, F&& f) {
  for (std::size_t at = 0; at + element <= bytes.size(); at += element) {
    u64 value = 0;
    std::memcpy(&value, bytes.data() + at, element);
    f(to + at, value);
  }
}

} // namespace

namespace {

const std::vector<u32> kInOrder;

// What is written there may not be in use, nor be read before it has come.
void check_target(const ToShared& copy, u32 size) {
  Warp& warp = copy.warp;
  Block &block = *warp.block, &target = *copy.barrier.block;
  for (u32 at = 0; at < size; at += copy.access.width()) {
    if (&target == &block) {
      const LaneOffsets here = all_at(copy.place(at));
      block.checker->shadow.write(warp, copy.access, 1u << copy.lane, here);
      if (block.landing.copies) check_in_flight(warp, copy.access, 1u << copy.lane, here);
    } else {
      target.checker->remote.note(warp, copy.access, copy.lane, target, copy.place(at));
    }
  }
}

void expect(Block& target, const ToShared& copy, u32 size) {
  if (copy.chunks.empty()) return target.landing.expect(copy.to, size);
  for (const u32 chunk : copy.chunks) target.landing.expect(chunk, kBulkChunk);
}

// Whether all of it has a place to go.
bool lies_in_shared(const ToShared& copy, u32 size) {
  const auto lies = [&](u32 place, u32 bytes) {
    return in_shared(copy.warp, copy.access, copy.lane, *copy.barrier.block, place, bytes);
  };
  if (copy.chunks.empty()) return lies(copy.to, size);
  return std::all_of(copy.chunks.begin(), copy.chunks.end(),
                     [&](u32 chunk) { return lies(chunk, kBulkChunk); });
}

void land_piece(Block& block, const Tracked& tracked, std::size_t piece) {
  const std::size_t begin = piece * kBulkChunk;
  const std::size_t to = tracked.chunks.empty() ? tracked.to + begin : tracked.chunks[piece];
  std::memcpy(block.shared.bytes() + to, tracked.bytes.data() + begin,
              std::min<std::size_t>(kBulkChunk, tracked.bytes.size() - begin));
}

} // namespace

void land_early(Block& block, Tracked& tracked) {
  Liberties* const liberties = block.launch->liberties;
  if (!liberties || tracked.lost || tracked.what != Tracked::What::bulk) return;
  if (!liberties->some_land_early()) return;
  tracked.landed.resize((tracked.bytes.size() + kBulkChunk - 1) / kBulkChunk);
  for (std::size_t piece = 0; piece < tracked.landed.size(); ++piece) {
    if (!liberties->lands_early()) continue;
    tracked.landed[piece] = true;
    land_piece(block, tracked, piece);
  }
}

void send(const ToShared& copy, const std::vector<std::byte>& bytes) {
  Warp& warp = copy.warp;
  Block& target = *copy.barrier.block;
  const auto size = static_cast<u32>(bytes.size());
  const Mbarrier* barrier =
      barrier_for(warp, *copy.access.barrier, copy.lane, copy.barrier, Says::tells_of_copy);
  if (!barrier) return;
  if (warp.block->checks)
    check_made_known(warp, *copy.access.barrier, copy.lane, copy.barrier, *barrier);
  if (size == 0) return; // nothing that could come late
  Tracked tracked;
  tracked.what = Tracked::What::bulk;
  tracked.by = &warp;
  tracked.lane = copy.lane;
  tracked.barrier = copy.barrier.offset;
  tracked.access = &copy.access;
  tracked.to = copy.to;
  tracked.read = copy.read;
  tracked.phase = barrier->phase;
  tracked.bytes = bytes;
  tracked.chunks = copy.chunks;
  tracked.lost = !lies_in_shared(copy, size);
  if (!tracked.lost && warp.block->checks) check_target(copy, size);
  if (!tracked.lost) expect(target, copy, size);
  land_early(target, tracked);
  target.memory_barriers.under_way.push_back(std::move(tracked));
}

void bulk_copy_in(Warp& warp, const Operation& op, u32 mask) {
  Block& block = *warp.block;
  const MemoryOperand& access = *op.access;
  LaneOffsets to, from_shared;
  LaneAddresses from_global;
  point_in_cluster(warp, access, to);
  if (access.shared)
    point(warp, *access.shared, from_shared);
  else
    point(warp, *access.global, from_global);
  const u32* sizes = lanes_at<const u32>(warp.frame, op.slot[1]);
  const u16* to_ranks = op.slot[2] ? lanes_at<const u16>(warp.frame, op.slot[2]) : nullptr;
  BarrierPlaces places;
  mask = barrier_places(warp, *access.barrier, mask, places);
  for (u32 left = mask; left && !block.ended; left &= left - 1) {
    const u32 lane = lowest(left);
    const u32 size = sizes[lane], offset = to.of[lane] & ~kRankBits;
    const u64 from = access.shared ? from_shared.of[lane] & ~kRankBits : from_global.of[lane];
    if (!follows_rules(warp, access, lane, offset, from, size)) return;
    if (block.checks) block.checker->shadow.next_step(warp);
    std::vector<std::byte> bytes;
    const u64 read = access.shared ? 0 : begin_read(warp, *access.global, lane);
    if (access.shared) {
      count_bulk(counter_of(block, access.shared->id), *access.shared, warp, lane, 0, size, 0);
      bytes = fetch_shared(warp, *access.shared, lane, static_cast<u32>(from), size);
    } else {
      count_global_side(warp, *access.global, lane, from, size);
      bytes = fetch_global(warp, *access.global, lane, from, size, read);
    }
    const auto follow = [&](const Block& target) {
      WayTrace* ways = block.launch->ways;
      if (ways && access.shared)
        ways->bulk_copy_across(target, offset, block, static_cast<u32>(from), size);
      else if (ways)
        ways->bulk_copy_in(warp, target, offset, from, size, false);
    };
    if (to_ranks) {
      // To the same place in each of these blocks, whose barrier at the same place is told.
      for (u32 ranks = to_ranks[lane]; ranks; ranks &= ranks - 1) {
        const u32 rank = lowest(ranks);
        Block* target = block_at(warp, access, lane, rank << kRankShift | offset, kBulkChunk);
        if (!target) continue;
        follow(*target);
        send({warp, access, lane, {target, places[lane].offset}, offset, kInOrder, read}, bytes);
      }
    } else {
      Block* target = block_at(warp, access, lane, to.of[lane], size ? kBulkChunk : 1);
      if (target && target != places[lane].block)
        block.checker->report(FindingKind::bulk_copy, access.id, kNone, warp, lane, [&] {
          return Message(Says::copies_to_other_block, target->index, places[lane].block->index);
        });
      follow(*places[lane].block);
      if (access.shared)
        note_sent(warp, *access.shared, lane, static_cast<u32>(from), size, places[lane]);
      send({warp, access, lane, places[lane], offset, kInOrder, read}, bytes);
    }
    if (block.checks) block.checker->shadow.next_step(warp);
  }
}

void land(Block& block, const Tracked& tracked) {
  if (tracked.lost) return;
  const auto size = static_cast<u32>(tracked.bytes.size());
  const ToShared copy{*tracked.by, *tracked.access, tracked.lane, {&block, tracked.barrier},
                      tracked.to,  tracked.chunks};
  std::byte* memory = block.shared.bytes();
  if (tracked.what == Tracked::What::join)
    for_elements(tracked.bytes, copy.access.element, memory + tracked.to,
                 [&](std::byte* element, u64 value) {
                   combine_on_host(element, copy.access.element, copy.access.combine, value);
                 });
  else if (tracked.chunks.empty() && tracked.landed.empty())
    std::ranges::copy(tracked.bytes, memory + tracked.to); // perhaps of no bytes
  const std::size_t pieces = std::max(tracked.chunks.size(), tracked.landed.size());
  for (std::size_t piece = 0; piece < pieces; ++piece)
    if (tracked.landed.empty() || !tracked.landed[piece]) land_piece(block, tracked, piece);
  for (const u32 chunk : tracked.chunks) block.landing.done(chunk, kBulkChunk);
  if (tracked.chunks.empty()) block.landing.done(tracked.to, size);
  if (block.checks) check_target(copy, size);
}

void note_store(Warp& warp, const MemoryOperand& access, u32 lane, Allocation& memory, u64 address,
                u32 size) {
  BulkReads& reads = warp.block->bulk_reads;
  note_chunks(warp, access, lane, memory, address, size);
  if (warp.block->checks)
    reads.writes.push_back(
        {&warp, lane, reads.committed[warp.index * kLanes + lane], &access, address, size});
}

void store_global(Warp& warp, const MemoryOperand& access, u32 lane, u64 address,
                  const std::byte* bytes, u32 size) {
  Allocation* memory = in_global(warp, access, lane, address, size);
  if (!memory) return;
  note_store(warp, access, lane, *memory, address, size);
  std::memcpy(memory->bytes.get() + (address - memory->base), bytes, size);
  if (memory->written) memory->set_written(address - memory->base, size);
}

u64 sectors_of(u64 address, u32 size) {
  return size ? (address + size - 1) / 32 - address / 32 + 1 : 0;
}

void bulk_copy_out(Warp& warp, const Operation& op, u32 mask) {
  Block& block = *warp.block;
  const MemoryOperand& access = *op.access;
  const MemoryOperand& target = *access.global;
  LaneOffsets from;
  LaneAddresses to;
  point(warp, access, from);
  point(warp, target, to);
  const u32* sizes = lanes_at<const u32>(warp.frame, op.slot[1]);
  for (u32 left = mask; left && !block.ended; left &= left - 1) {
    const u32 lane = lowest(left);
    const u32 size = sizes[lane];
    from.of[lane] &= ~kRankBits;
    if (!follows_rules(warp, access, lane, from.of[lane], to.of[lane], size)) return;
    count_global_side(warp, target, lane, to.of[lane], size);
    if (!size) continue;
    if (block.checks) block.checker->shadow.next_step(warp);
    const std::vector<std::byte> bytes = fetch_shared(warp, access, lane, from.of[lane], size);
    block.bulk_reads.in_flight.push_back({&warp, lane,
                                          block.bulk_reads.committed[warp.index * kLanes + lane],
                                          &access, from.of[lane], size});
    ++block.landing.copies;
    if (block.launch->ways)
      block.launch->ways->bulk_copy_out(to.of[lane], block, from.of[lane], size);
    if (!target.combine) {
      store_global(warp, target, lane, to.of[lane], bytes.data(), size);
      continue;
    }
    Allocation* memory = in_global(warp, target, lane, to.of[lane], size);
    if (!memory) continue;
    note_store(warp, target, lane, *memory, to.of[lane], size);
    for_elements(bytes, op.immediate, memory->bytes.get() + (to.of[lane] - memory->base),
                 [&](std::byte* element, u64 value) {
                   combine_on_host(element, op.immediate, target.combine, value);
                 });
  }
}

void commit_bulk_copies(Warp& warp, const Operation&, u32 mask) {
  for (u32 left = mask; left; left &= left - 1)
    ++warp.block->bulk_reads.committed[warp.index * kLanes + lowest(left)];
}

void wait_for_bulk_copies(Warp& warp, const Operation& op, u32 mask) {
  BulkReads& reads = warp.block->bulk_reads;
  const auto done = [&](const auto& copy) {
    return copy.by == &warp && (mask >> copy.lane & 1) &&
           u64{copy.group} + op.immediate < reads.committed[warp.index * kLanes + copy.lane];
  };
  warp.block->landing.copies -= static_cast<u32>(std::erase_if(reads.in_flight, done));
  if (!op.target) std::erase_if(reads.writes, done);
}

} // namespace course::emulator
