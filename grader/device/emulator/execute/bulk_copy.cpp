#include "device/emulator/execute/bulk_copy.hpp"

#include "device/emulator/check/global_race.hpp"
#include "device/emulator/check/proxies.hpp"
#include "device/emulator/execute/atomics.hpp"
#include "device/emulator/execute/lane_access.hpp"
#include "device/emulator/execute/mbarrier.hpp"
#include "device/emulator/execute/remote_memory.hpp"
#include "device/emulator/execute/windows.hpp"
#include "device/model/grouped.hpp"

namespace course::emulator {
namespace {

using device::FindingKind;

u32 lowest(u32 mask) {
  return static_cast<u32>(std::countr_zero(mask));
}

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
bool follows_rules(Warp& warp, const Access& access, u32 lane, u64 shared, u64 other, u32 size) {
  Block& block = *warp.block;
  const auto& source = block.launch->program->sites()[access.id].source;
  const auto fail = [&](FindingKind kind, std::string message) {
    block.fail(kind, source, warp, lane, std::move(message));
    return false;
  };
  if (size % kBulkChunk != 0)
    return fail(FindingKind::bulk_copy,
                "a bulk copy of " + model::grouped(size) +
                    " bytes, which is no multiple of 16: a "
                    "GPU copies the first " +
                    model::grouped(size - size % kBulkChunk) +
                    ", says nothing, and a barrier that waits for all of them never goes on");
  if (shared % kBulkChunk != 0)
    return fail(FindingKind::misaligned,
                "a bulk copy is at " + block.shared.layout().describe(static_cast<u32>(shared), 1) +
                    ", which is no multiple of 16");
  if (other % kBulkChunk != 0)
    return fail(FindingKind::misaligned, "a bulk copy is at " +
                                             block.launch->memory->describe(other) +
                                             ", which is no multiple of 16");
  return true;
}

bool in_shared(Warp& warp, const Access& access, u32 lane, const Block& owner, u32 offset,
               u32 size) {
  const Layout& layout = owner.shared.layout();
  if (layout.inside(layout.array_at(offset), offset, size)) return true;
  warp.block->report(FindingKind::out_of_bounds, access.id, kNone, warp, lane, [&] {
    const std::string copy = "a bulk copy of " + model::grouped(size) + " bytes ";
    return layout.inside(layout.array_at(offset), offset, 1)
               ? copy + "at " + layout.describe(offset, 1) + " reaches past the end of its array"
               : copy + "is " + layout.describe(offset, 1);
  });
  return false;
}

// nullptr: not all of it is in one allocation, which is reported.
Allocation* in_global(Warp& warp, const Access& access, u32 lane, u64 address, u32 size) {
  GlobalMemory& memory = *warp.block->launch->memory;
  Allocation* there = memory.find(address);
  if (there && !there->freed && there->holds(address, size)) return there;
  const auto kind =
      there && there->freed ? FindingKind::use_after_free : FindingKind::out_of_bounds;
  warp.block->report(kind, access.id, kNone, warp, lane, [&] {
    const std::string copy = "a bulk copy of " + model::grouped(size) + " bytes ";
    if (there && there->freed) return copy + "is in " + there->name + ", which has been freed";
    if (there) return copy + "at " + memory.describe(address) + " reaches past its end";
    return copy + "is at " + memory.describe(address);
  });
  return nullptr;
}

void count_bulk(Warp& warp, const Access& global, u64 address, u32 size) {
  AccessCounter& counter = warp.block->counter(global.id);
  ++counter.requests;
  if (size) counter.sectors += (address + size - 1) / 32 - address / 32 + 1;
}

// Whether all bytes to copy have been written.
void check_source(Warp& warp, const Access& access, u32 lane, const Allocation& memory, u64 offset,
                  u32 size) {
  if (!memory.written || memory.is_written(offset, size)) return;
  warp.block->report(FindingKind::uninitialised, access.id, kNone, warp, lane, [&] {
    return "copies " + model::grouped(size) + " bytes from " + memory.element(offset, 4) +
           " on, of which some have not been written";
  });
}

// Every chunk of global memory, as an access of the one lane.
void note_chunks(Warp& warp, const Access& access, u32 lane, Allocation& memory, u64 address,
                 u32 size) {
  if (!warp.block->checks) return;
  for (u32 at = 0; at < size; at += kBulkChunk)
    note_global(warp, access, 1u << lane, memory, all_at(address + at));
}

std::vector<std::byte> fetch_global(Warp& warp, const Access& access, u32 lane, u64 address,
                                    u32 size) {
  std::vector<std::byte> bytes(size, std::byte{0xff});
  Allocation* memory = size ? in_global(warp, access, lane, address, size) : nullptr;
  if (!memory) return bytes;
  if (warp.block->checks) check_source(warp, access, lane, *memory, address - memory->base, size);
  note_chunks(warp, access, lane, *memory, address, size);
  std::memcpy(bytes.data(), memory->bytes.get() + (address - memory->base), size);
  return bytes;
}

// The bytes that a copy reads in its own block's shared memory, and whether it may.
std::vector<std::byte> fetch_shared(Warp& warp, const Access& access, u32 lane, u32 offset,
                                    u32 size) {
  Block& block = *warp.block;
  std::vector<std::byte> bytes(size, std::byte{0xff});
  if (!size || !in_shared(warp, access, lane, block, offset, size)) return bytes;
  if (block.checks) {
    for (u32 at = 0; at < size; at += kBulkChunk) {
      const LaneOffsets here = all_at(offset + at);
      block.shared.shadow().read(warp, access, 1u << lane, here);
      if (block.landing.copies) check_in_flight(warp, access, 1u << lane, here);
    }
    check_proxy(warp, access, lane, offset, size);
  }
  std::memcpy(bytes.data(), block.shared.bytes() + offset, size);
  return bytes;
}

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

// One copy to a block's shared memory, whose barrier is told.
struct ToShared {
  Warp& warp;
  const Access& access;
  u32 lane;
  BarrierPlace barrier;
  u32 to;
};

// What is written there may not be in use, nor be read before it has come.
void check_target(const ToShared& copy, u32 size) {
  Warp& warp = copy.warp;
  Block &block = *warp.block, &target = *copy.barrier.block;
  for (u32 at = 0; at < size; at += copy.access.width()) {
    if (&target == &block) {
      const LaneOffsets here = all_at(copy.to + at);
      block.shared.shadow().write(warp, copy.access, 1u << copy.lane, here);
      if (block.landing.copies) check_in_flight(warp, copy.access, 1u << copy.lane, here);
    } else {
      target.remote.note(warp, copy.access, copy.lane, target, copy.to + at);
    }
  }
}

void send(const ToShared& copy, const std::vector<std::byte>& bytes) {
  Warp& warp = copy.warp;
  Block& target = *copy.barrier.block;
  const auto size = static_cast<u32>(bytes.size());
  const Mbarrier* barrier =
      barrier_for(warp, *copy.access.barrier, copy.lane, copy.barrier, "tells of a copy to");
  if (!barrier) return;
  Tracked tracked;
  tracked.what = Tracked::What::bulk;
  tracked.by = &warp;
  tracked.lane = copy.lane;
  tracked.barrier = copy.barrier.offset;
  tracked.access = &copy.access;
  tracked.to = copy.to;
  tracked.phase = barrier->phase;
  tracked.bytes = bytes;
  tracked.lost = size && !in_shared(warp, copy.access, copy.lane, target, copy.to, size);
  if (!tracked.lost) {
    if (warp.block->checks) check_target(copy, size);
    target.landing.expect(copy.to, size);
  }
  target.memory_barriers.under_way.push_back(std::move(tracked));
}

} // namespace

void bulk_copy_in(Warp& warp, const Operation& op, u32 mask) {
  Block& block = *warp.block;
  const Access& access = *op.access;
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
    if (block.checks) block.shared.shadow().next_step(warp);
    std::vector<std::byte> bytes;
    if (access.shared) {
      bytes = fetch_shared(warp, *access.shared, lane, static_cast<u32>(from), size);
    } else {
      count_bulk(warp, *access.global, from, size);
      bytes = fetch_global(warp, *access.global, lane, from, size);
    }
    if (to_ranks) {
      // To the same place in each of these blocks, whose barrier at the same place is told.
      for (u32 ranks = to_ranks[lane]; ranks; ranks &= ranks - 1) {
        const u32 rank = lowest(ranks);
        Block* target = block_at(warp, access, lane, rank << kRankShift | offset, kBulkChunk);
        if (target) send({warp, access, lane, {target, places[lane].offset}, offset}, bytes);
      }
    } else {
      Block* target = block_at(warp, access, lane, to.of[lane], size ? kBulkChunk : 1);
      if (target && target != places[lane].block)
        block.report(FindingKind::bulk_copy, access.id, kNone, warp, lane, [&] {
          return "copies to block " + text(target->index) + " and tells a barrier of block " +
                 text(places[lane].block->index) + ": both have to be in one block";
        });
      send({warp, access, lane, places[lane], offset}, bytes);
    }
    if (block.checks) block.shared.shadow().next_step(warp);
  }
}

void land(Block& block, const Tracked& copy) {
  if (copy.lost) return;
  const auto size = static_cast<u32>(copy.bytes.size());
  std::byte* there = block.shared.bytes() + copy.to;
  block.landing.done(copy.to, size);
  if (copy.what == Tracked::What::join)
    for_elements(copy.bytes, copy.access->element, there, [&](std::byte* element, u64 value) {
      combine_on_host(element, copy.access->element, copy.access->combine, value);
    });
  else
    std::memcpy(there, copy.bytes.data(), size);
  if (block.checks)
    check_target({*copy.by, *copy.access, copy.lane, {&block, copy.barrier}, copy.to}, size);
}

void bulk_copy_out(Warp& warp, const Operation& op, u32 mask) {
  Block& block = *warp.block;
  const Access& access = *op.access;
  const Access& target = *access.global;
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
    count_bulk(warp, target, to.of[lane], size);
    if (!size) continue;
    if (block.checks) block.shared.shadow().next_step(warp);
    const std::vector<std::byte> bytes = fetch_shared(warp, access, lane, from.of[lane], size);
    block.bulk_reads.in_flight.push_back({&warp, lane,
                                          block.bulk_reads.committed[warp.index * kLanes + lane],
                                          &access, from.of[lane], size});
    ++block.landing.copies;
    Allocation* memory = in_global(warp, target, lane, to.of[lane], size);
    if (!memory) continue;
    note_chunks(warp, target, lane, *memory, to.of[lane], size);
    std::byte* there = memory->bytes.get() + (to.of[lane] - memory->base);
    if (target.combine)
      for_elements(bytes, op.immediate, there, [&](std::byte* element, u64 value) {
        combine_on_host(element, op.immediate, target.combine, value);
      });
    else
      std::memcpy(there, bytes.data(), size);
    if (memory->written) memory->set_written(to.of[lane] - memory->base, size);
  }
}

void commit_bulk_copies(Warp& warp, const Operation&, u32 mask) {
  for (u32 left = mask; left; left &= left - 1)
    ++warp.block->bulk_reads.committed[warp.index * kLanes + lowest(left)];
}

void wait_for_bulk_copies(Warp& warp, const Operation& op, u32 mask) {
  BulkReads& reads = warp.block->bulk_reads;
  const auto done = [&](const BulkRead& copy) {
    return copy.by == &warp && (mask >> copy.lane & 1) &&
           u64{copy.group} + op.immediate < reads.committed[warp.index * kLanes + copy.lane];
  };
  warp.block->landing.copies -= static_cast<u32>(std::erase_if(reads.in_flight, done));
}

void end_bulk_copies(Block& block) {
  for (const BulkRead& copy : block.bulk_reads.in_flight)
    block.report(FindingKind::bulk_copy, copy.access->id, kNone, *copy.by, copy.lane, [&] {
      return std::string("the block ends while this bulk copy may still read its shared memory: "
                         "its thread has to wait for it first (cp.async.bulk.wait_group.read 0)");
    });
  for (const Tracked& copy : block.memory_barriers.under_way) {
    if (copy.what == Tracked::What::copies) continue;
    const bool own = copy.by->block == &block;
    copy.by->block->report(
        own ? FindingKind::bulk_copy : FindingKind::cluster, copy.access->id, kNone, *copy.by,
        copy.lane, [&] {
          return (own ? "the block" : "block " + text(block.index) + " of its cluster") +
                 std::string(" ends while this copy may still write its shared memory: nobody has "
                             "waited for its barrier");
        });
  }
}

} // namespace course::emulator
