#include "device/emulator/check/remote.hpp"

#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/phases.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/check/sent_sources.hpp"
#include "device/emulator/state/cluster.hpp"
#include "device/emulator/state/lanes.hpp"
#include "device/emulator/state/launch.hpp"

#include <bit>

namespace course::emulator {
namespace {

// Whether an access of a block happened before a lane of this one does what it does now.
bool behind(const Warp& warp, u32 lane, u64 block, Record record) {
  if (block == warp.block->linear)
    return (record & kWho) == (warp.index << 5 | lane) ||
           warp.block->checker->shadow.ordered(record, warp, lane);
  return warp.block->checker->order.covers(warp.index * kLanes + lane, block, record);
}

// Whether an access is strong for threads of another block, too.
bool is_strong(const Launch& launch, const MemoryOperand& access) {
  return is_strong(access) && launch.program->sites()[access.id].order.is_beyond_block();
}

void report_race(Warp& warp, const MemoryOperand& access, u32 lane, const Block& target, u32 offset,
                 u64 other_block, Record other, bool other_wrote) {
  Block& block = *warp.block;
  block.checker->report(
      device::FindingKind::race, access.id, site_of(other), warp, lane,
      [&] {
        const Block* who = nullptr;
        for (const Block* each : block.cluster->blocks)
          if (each->linear == other_block) who = each;
        Message them(Says::another_thread);
        if (who)
          them = Message(Says::thread_of_block,
                         who->thread(who->warps[warp_of(other)], lane_of(other)), who->index);
        Message place = target.shared.layout().describe(offset, access.width());
        if (&target != &block) place = of_cluster(std::move(place), target);
        const bool one_warp = other_block == block.linear && warp_of(other) == warp.index;
        Message phase = one_warp ? Message() : missing_phase(warp, lane, other_block, other);
        return Message(Says::meets, does(access, std::move(place)),
                       Message(other_wrote ? Says::wrote : Says::did_read, std::move(them)),
                       phase.empty() ? Message(Says::no_order_cluster)
                                     : Message(Says::no_order_cluster_phase, std::move(phase)));
      },
      device::Meeting::between_blocks);
}

} // namespace

void RemoteHistory::note(Warp& warp, const MemoryOperand& access, u32 lane, Block& target,
                         u32 offset) {
  if (words_.empty()) ++target.landing.copies; // its own accesses are checked from now on
  const Shadow& shadow = target.checker->shadow;
  const bool writes = access.direction != Direction::load,
             strong = is_strong(*warp.block->launch, access);
  if (writes && !target.bulk_reads.sent.empty()) check_sent(warp, access, lane, target, offset);
  const RemoteAccess mine{warp.block->linear, record(warp.stamp, access.id, warp.index) | lane,
                          strong};
  const auto meet = [&](u64 block, Record record, bool other_strong, bool wrote) {
    if (!record || (strong && other_strong) || behind(warp, lane, block, record)) return;
    report_race(warp, access, lane, target, offset, block, record, wrote);
  };
  const auto& sites = warp.block->launch->program->sites();
  const auto reaches = [&](Record own) { return sites[site_of(own)].order.is_beyond_block(); };
  for (u32 byte = offset & ~3u; byte < offset + access.width(); byte += 4) {
    Word& word = words_[byte / 4];
    const Record own = shadow.writer_at(byte);
    if (own) meet(target.linear, own, (own & kAtomic) && reaches(own), true);
    if (!own && !word.write.record && access.direction != Direction::store) {
      warp.block->checker->report(
          device::FindingKind::uninitialised, access.id, kNone, warp, lane, [&] {
            return unwritten(Message(writes ? Says::updates : Says::reads,
                                     of_cluster(target.shared.layout().describe(byte, 4), target)));
          });
    }
    meet(word.write.block, word.write.record, word.write.strong, true);
    if (writes) {
      const Record reader = shadow.reader_at(byte);
      if (reader)
        meet(target.linear, reader, sites[site_of(reader)].access->strong && reaches(reader),
             false);
      for (const RemoteAccess& read : word.reads) meet(read.block, read.record, read.strong, false);
      word.reads.clear();
      word.write = mine;
    } else {
      std::erase_if(word.reads, [&](const RemoteAccess& read) {
        return read.block == mine.block && (read.record & kWho) == (mine.record & kWho);
      });
      word.reads.push_back(mine);
    }
  }
}

void RemoteHistory::check_own(Warp& warp, const MemoryOperand& access, u32 mask,
                              const LaneOffsets& at) {
  const bool writes = access.direction != Direction::load,
             strong = is_strong(*warp.block->launch, access);
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(left));
    const u32 offset = at.of[lane];
    for (u32 byte = offset & ~3u; byte < offset + access.width(); byte += 4) {
      const auto found = words_.find(byte / 4);
      if (found == words_.end()) continue;
      const Word& word = found->second;
      const auto meet = [&](const RemoteAccess& other, bool wrote) {
        if (!other.record || (strong && other.strong) ||
            behind(warp, lane, other.block, other.record))
          return;
        report_race(warp, access, lane, *warp.block, offset, other.block, other.record, wrote);
      };
      meet(word.write, true);
      if (!writes) continue;
      for (const RemoteAccess& read : word.reads) meet(read, false);
    }
  }
}

void RemoteHistory::end_block(Block& block) {
  const auto known = block.checker->order.of_all();
  const auto& blocks = block.cluster->blocks;
  const auto check = [&](u32 offset, const RemoteAccess& access) {
    if (!access.record || covers(known, access.block, access.record)) return;
    for (Block* other : blocks) {
      if (other->linear != access.block) continue;
      Warp& warp = other->warps[warp_of(access.record)];
      other->checker->report(device::FindingKind::cluster, site_of(access.record), kNone, warp,
                             lane_of(access.record), [&] {
                               return Message(
                                   Says::may_have_ended,
                                   of_cluster(block.shared.layout().describe(offset, 4), block));
                             });
    }
  };
  for (const auto& [index, word] : words_) {
    check(index * 4, word.write);
    for (const RemoteAccess& read : word.reads) check(index * 4, read);
  }
}

} // namespace course::emulator
