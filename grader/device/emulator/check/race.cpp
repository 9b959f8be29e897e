// Long, because the loops that sort out what is in order, and what is done with the rest, read the
// same records.
#include "device/emulator/check/race.hpp"

#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/phases.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/check/undefined.hpp"
#include "device/emulator/state/lanes.hpp"
#include "device/emulator/state/launch.hpp"
#include "device/emulator/state/runs.hpp"

#include <algorithm>
#include <bit>

namespace course::emulator {

// The loops over lanes, once for any processor and once for AVX2. They sort out what is in order,
// which is nearly everything; the rest goes lane by lane to the functions of Shadow.
template <bool kAvx2>
struct ShadowLoops {
  static constexpr u32 kShortRun = 4; // shorter ones are not worth a loop of their own
  static constexpr u32 kAllJoined = kAllLanes >> 1; // runs of all lanes side by side

  // A request, and what its records are compared with.
  struct Request {
    Shadow& shadow;
    Warp& warp;
    const MemoryOperand& access;
    const LaneOffsets& at;
    u32 granules, log_granules; // of a lane
    Record block, barrier;      // older ones are of other blocks, or before the last barrier
    Record synchronised;        // those of this warp before it are in order
    Record mine;                // plus the lane
    const BlockOrder& order;    // what a warp was told besides
    bool by_barriers;           // of all threads alone, or of one warp: nothing else orders any
    u32 shift;
    Record *writer, *reader, *other; // by granule

    [[gnu::always_inline]] u32 granule(u32 lane) const { return at.of[lane] >> shift; }
    [[gnu::always_inline]] bool is_told(Record r) const { return order.is_told(warp.index, r); }
    // Whether a record of this warp is before its last __syncwarp.
    [[gnu::always_inline]] bool behind_us(Record r) const {
      return r < synchronised && ((r ^ mine) & (kWarp | kSeveralWarps)) == 0;
    }
  };
  [[gnu::always_inline]] static inline Request
  request(Shadow& shadow, Warp& warp, const MemoryOperand& access, const LaneOffsets& at) {
    const u32 granules = access.width() >> shadow.shift_;
    return {shadow,
            warp,
            access,
            at,
            granules,
            static_cast<u32>(std::countr_zero(granules)),
            Record{shadow.block_} << 32,
            Record{shadow.barrier_} << 32,
            Record{warp.synchronised} << 32,
            record(warp.stamp, access.id, warp.index) | (access.strong ? kAtomic : 0),
            warp.block->checker->order,
            shadow.known_warp_.empty() && !warp.block->checker->order.active(),
            shadow.shift_,
            shadow.writer_.data(),
            shadow.reader_.data(),
            shadow.other_reader_.data()};
  }

  // Four records at a time. Stamps stay below what has a sign (begin_block).
  using Four [[gnu::vector_size(32), gnu::aligned(sizeof(Record)), gnu::may_alias]] = s64;
  static constexpr u32 kAtOnce = 4;
  [[gnu::always_inline]] static inline Four& four(Record* records) {
    return *reinterpret_cast<Four*>(records);
  }
  [[gnu::always_inline]] static inline const Four& four(const Record* records) {
    return *reinterpret_cast<const Four*>(records);
  }
  [[gnu::always_inline]] static inline bool any(const Four& mask) {
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
  }
  // f(k) for 0, 4, … so that each of `count` is within four of a k; some may be twice. At least 4.
  template <typename F>
  [[gnu::always_inline]] static inline void for_fours(u32 count, F&& f) {
    u32 k = 0;
    for (; k + kAtOnce <= count; k += kAtOnce) f(k);
    if (k < count) f(count - kAtOnce);
  }
  // Those of the lanes that have the granules k to k + 3 of a run.
  [[gnu::always_inline]] static inline void records_of(const Request& r, u32 k, Record first,
                                                       Four& records) {
    const Four each = {k, k + 1, k + 2, k + 3};
    records = (each >> r.log_granules) + static_cast<s64>(first);
  }

  // Whether all records from `first`, at least four, are in [low, high).
  [[gnu::always_inline]] static inline bool all_within(const Record* first, u32 count, Record low,
                                                       Record high) {
    Four outside{};
    for_fours(
        count, [&](u32 k) __attribute__((always_inline)) {
          const Four& each = four(first + k);
          outside |= (each < static_cast<s64>(low)) | (each >= static_cast<s64>(high));
        });
    return !any(outside);
  }
  // Whether all were made before the barrier, by the same lane, or by this warp before it
  // synchronised. `mine`: of the first lane. `several`: the flags that say of more than one.
  [[gnu::always_inline]] static inline bool all_in_order(const Request& r, const Record* first,
                                                         u32 count, Record mine, Record several) {
    Four foreign{};
    for_fours(
        count, [&](u32 k) __attribute__((always_inline)) {
          Four same;
          records_of(r, k, mine, same);
          see_foreign(r, four(first + k), same, several, foreign);
        });
    return !any(foreign);
  }
  [[gnu::always_inline]] static inline void see_foreign(const Request& r, const Four& before,
                                                        const Four& mine, Record several,
                                                        Four& foreign) {
    const Four differs = before ^ mine;
    const Four others = (differs & static_cast<s64>(kWho | several)) != 0;
    const Four ahead = (before >= static_cast<s64>(r.synchronised)) |
                       ((differs & static_cast<s64>(kWarp | kSeveralWarps)) != 0);
    foreign |= (before >= static_cast<s64>(r.barrier)) & others & ahead;
  }
  [[gnu::always_inline]] static inline void mark(const Request& r, Record* first, u32 count,
                                                 Record mine) {
    if (count < kAtOnce)
      for (u32 k = 0; k < count; ++k) first[k] = mine + (k >> r.log_granules);
    else
      for_fours(
          count, [&](u32 k)
                     __attribute__((always_inline)) { records_of(r, k, mine, four(first + k)); });
  }

  // ---- reads

  // What note_reader does, where nothing but barriers orders threads.
  [[gnu::always_inline]] static inline void note_readers(const Request& r, std::size_t granule,
                                                         u32 count, Record first) {
    const auto note = [&](Record * reader, Record * other, u32 k) __attribute__((always_inline)) {
      const Four before = four(reader);
      Four mine;
      records_of(r, k, first, mine);
      const Four differs = before ^ mine;
      const Four again = before >= static_cast<s64>(r.barrier);
      const Four kept = again & ((before & static_cast<s64>(kSeveralWarps)) != 0);
      const Four several =
          ((differs & static_cast<s64>(kLane)) | (before & static_cast<s64>(kSeveralLanes))) != 0;
      const Four ahead = before >= static_cast<s64>(r.synchronised);
      const Four other_warp = (differs & static_cast<s64>(kWarp)) != 0;
      const Four flags = (other_warp & static_cast<s64>(kSeveralWarps)) |
                         (~other_warp & several & ahead & static_cast<s64>(kSeveralLanes));
      const Four other_lane = (differs & static_cast<s64>(kWho)) != 0;
      const Four moves = again & ~kept & other_lane;
      four(other) = (moves & before) | (~moves & four(other));
      four(reader) = (kept & before) | (~kept & (mine | (again & flags)));
    };
    Record *reader = &r.reader[granule], *other = &r.other[granule];
    u32 k = 0;
    for (; k + kAtOnce <= count; k += kAtOnce) note(reader + k, other + k, k);
    if (k == count) return;
    // Not twice: what is noted depends on what was.
    Record last_reader[kAtOnce] = {}, last_other[kAtOnce] = {};
    std::copy(reader + k, reader + count, last_reader);
    std::copy(other + k, other + count, last_other);
    note(last_reader, last_other, k);
    std::copy_n(last_reader, count - k, reader + k);
    std::copy_n(last_other, count - k, other + k);
  }
  // Mostly it is the first read since a barrier, or one of what several warps have read.
  [[gnu::always_inline]] static inline bool note_as_before(const Request& r, u32 granule, u32 count,
                                                           Record first) {
    Record* reader = &r.reader[granule];
    Four again{}, unknown{};
    for_fours(
        count, [&](u32 k) __attribute__((always_inline)) {
          const Four is_again = four(reader + k) >= static_cast<s64>(r.barrier);
          again |= is_again;
          unknown |= ~is_again | ((four(reader + k) & static_cast<s64>(kSeveralWarps)) == 0);
        });
    if (!any(unknown)) return true;
    if (any(again)) return false;
    mark(r, reader, count, first);
    return true;
  }
  [[gnu::always_inline]] static inline void note_reader(const Request& r, u32 lane,
                                                        std::size_t granule, Record mine) {
    Record& reader = r.reader[granule];
    if (reader < r.barrier)
      reader = mine;
    else if (!(reader & kSeveralWarps))
      r.shadow.note_reader(r.warp, lane, granule, mine);
  }

  // False: it reads what nothing in this block has written.
  [[gnu::always_inline]] static inline bool check_read(const Request& r, u32 lane, u32 granule) {
    const Record before = r.writer[granule];
    if (before - r.block < r.barrier - r.block) return true;
    if (before < r.block)
      return r.shadow.check_initialised(r.warp, r.access, lane, r.at.of[lane], granule);
    if (((before ^ (r.mine + lane)) & kWho) != 0 && !r.behind_us(before) && !r.is_told(before))
        [[unlikely]]
      r.shadow.check_writer(r.warp, r.access, lane, r.at.of[lane], before);
    return true;
  }

  // `flags`: of the lane's record. Returns its bit if it reads what nothing has written.
  [[gnu::always_inline]] static inline u32 read_lane(const Request& r, u32 lane, Record flags = 0) {
    const u32 first = r.granule(lane);
    u32 unwritten = 0;
    for (u32 k = first; k < first + r.granules; ++k) {
      if (!check_read(r, lane, k)) [[unlikely]]
        unwritten = 1u << lane;
      note_reader(r, lane, k, (r.mine + lane) | flags);
    }
    return unwritten;
  }

  // ---- lanes here and there

  // Where each lane is, those that take no part with the first that does.
  struct alignas(64) Granules {
    u32 of[kLanes];
  };
  [[gnu::always_inline]] static inline void find_granules(const Request& r, u32 mask,
                                                          Granules& at) {
    const u32 first = r.at.of[lowest(mask)];
    for (int i = 0; i < kLanes; ++i)
      at.of[i] = (mask & kLaneBit[i] ? r.at.of[i] : first) >> r.shift;
  }
  [[gnu::always_inline]] static inline void gather(const Record* from, const u32* granule,
                                                   Four& to) {
    to = Four{static_cast<s64>(from[granule[0]]), static_cast<s64>(from[granule[1]]),
              static_cast<s64>(from[granule[2]]), static_cast<s64>(from[granule[3]])};
  }
  template <typename F>
  [[gnu::always_inline]] static inline void for_lanes(u32 mask, F&& f) {
    if (mask == kAllLanes)
      for (u32 lane = 0; lane < kLanes; ++lane) f(lane);
    else
      for (u32 left = mask; left; left &= left - 1) f(lowest(left));
  }

  // Of a granule a lane. Mostly all was written before the barrier, and this is the first read.
  [[gnu::always_inline]] static inline u32 read_scattered(const Request& r, u32 mask) {
    Granules at;
    find_granules(r, mask, at);
    Four unordered{}, again{}, unknown{};
    for (u32 i = 0; i < kLanes; i += kAtOnce) {
      Four writer, reader;
      gather(r.writer, at.of + i, writer);
      gather(r.reader, at.of + i, reader);
      unordered |= (writer < static_cast<s64>(r.block)) | (writer >= static_cast<s64>(r.barrier));
      const Four is_again = reader >= static_cast<s64>(r.barrier);
      again |= is_again;
      unknown |= ~is_again | ((reader & static_cast<s64>(kSeveralWarps)) == 0);
    }
    if (any(unordered)) return read_lanes(r, mask);
    if (!any(unknown)) return 0;
    if (!any(again)) {
      for_lanes(
          mask, [&](u32 lane)
                    __attribute__((always_inline)) { r.reader[at.of[lane]] = r.mine + lane; });
      Record twice = 0;
      for_lanes(
          mask, [&](u32 lane) __attribute__((always_inline)) {
            twice |= r.reader[at.of[lane]] ^ (r.mine + lane);
          });
      if (!twice) return 0;
      for_lanes(
          mask, [&](u32 lane) __attribute__((always_inline)) { r.reader[at.of[lane]] = 0; });
    }
    for (u32 left = mask; left; left &= left - 1)
      note_reader(r, lowest(left), at.of[lowest(left)], r.mine + lowest(left));
    return 0;
  }

  // Checks a granule a lane. False: not all are in order.
  [[gnu::always_inline]] static inline bool scattered_in_order(const Request& r, u32 mask,
                                                               const Granules& at) {
    Four foreign{};
    for (u32 i = 0; i < kLanes; i += kAtOnce) {
      Four writer, reader, lane_foreign{};
      gather(r.writer, at.of + i, writer);
      gather(r.reader, at.of + i, reader);
      const Four mine = Four{0, 1, 2, 3} + static_cast<s64>(r.mine + i);
      see_foreign(r, writer, mine, 0, lane_foreign);
      see_foreign(r, reader, mine, kSeveral, lane_foreign);
      foreign |= lane_foreign & ((Four{1, 2, 4, 8} & s64{mask >> i}) != 0);
    }
    return !any(foreign);
  }
  [[gnu::always_inline]] static inline u32 write_scattered(const Request& r, u32 mask) {
    Granules at;
    find_granules(r, mask, at);
    if (!scattered_in_order(r, mask, at)) [[unlikely]]
      check_writes(r, mask);
    for_lanes(
        mask, [&](u32 lane)
                  __attribute__((always_inline)) { r.writer[at.of[lane]] = r.mine + lane; });
    Four other{};
    for (u32 i = 0; i < kLanes; i += kAtOnce) {
      Four writer;
      gather(r.writer, at.of + i, writer);
      other |= (writer ^ (Four{0, 1, 2, 3} + i)) & static_cast<s64>(kLane) &
               ((Four{1, 2, 4, 8} & s64{mask >> i}) != 0);
    }
    return any(other) ? overwritten_of(r, mask) : 0;
  }
  [[gnu::noinline]] static u32 overwritten_of(const Request& r, u32 mask) {
    u32 overwritten = 0;
    for (u32 lanes = mask; lanes; lanes &= lanes - 1) {
      const u32 lane = lowest(lanes);
      if (lane_of(r.writer[r.granule(lane)]) != lane) overwritten |= 1u << lane;
    }
    return overwritten;
  }

  static u32 read_lanes(const Request& r, u32 mask) {
    u32 unwritten = 0;
    if (r.granules != 1) {
      for (u32 lanes = mask; lanes; lanes &= lanes - 1)
        unwritten |= read_lane(r, static_cast<u32>(std::countr_zero(lanes)));
      return unwritten;
    }
    for (u32 lanes = mask; lanes; lanes &= lanes - 1) {
      const u32 lane = static_cast<u32>(std::countr_zero(lanes)), granule = r.granule(lane);
      if (!check_read(r, lane, granule)) [[unlikely]]
        unwritten |= 1u << lane;
      note_reader(r, lane, granule, r.mine + lane);
    }
    return unwritten;
  }

  [[gnu::always_inline]] static inline u32 read_any_lanes(const Request& r, u32 mask) {
    return r.granules == 1 ? read_scattered(r, mask) : read_lanes(r, mask);
  }

  // Lanes side by side that read side by side.
  [[gnu::always_inline]] static inline u32 read_run(const Request& r, u32 lane, u32 lanes) {
    const u32 first = r.granule(lane), count = lanes << r.log_granules;
    if (lanes < kShortRun || !all_within(&r.writer[first], count, r.block, r.barrier))
      return read_lanes(r, lanes_of_run(lane, lanes));
    if (!note_as_before(r, first, count, r.mine + lane))
      note_readers(r, first, count, r.mine + lane);
    return 0;
  }

  // Lanes side by side that read the same: behind the second, each takes the place of the one
  // before it.
  [[gnu::always_inline]] static inline u32 read_group(const Request& r, u32 lane, u32 lanes) {
    const u32 first = r.granule(lane);
    for (u32 k = first; k < first + r.granules; ++k)
      if (r.writer[k] - r.block >= r.barrier - r.block)
        return read_lanes(r, lanes_of_run(lane, lanes));
    for (u32 k = first; k < first + r.granules; ++k) {
      note_reader(r, lane, k, r.mine + lane);
      if (lanes > 1) note_reader(r, lane + 1, k, r.mine + lane + 1);
      if (lanes < 3 || (r.reader[k] & kSeveralWarps)) continue;
      const Record last = (r.mine + lane + lanes - 1) | kSeveralLanes;
      r.other[k] = last - 1;
      r.reader[k] = last;
    }
    return 0;
  }

  // Full warps, side by side, whatever orders threads.
  [[gnu::always_inline]] static inline bool read_as_before(const Request& r) {
    const u32 first = r.granule(0), count = r.granules * kLanes;
    return all_within(&r.writer[first], count, r.block, r.barrier) &&
           note_as_before(r, first, count, r.mine);
  }

  [[gnu::always_inline]] static inline u32
  read(Shadow& shadow, Warp& warp, const MemoryOperand& access, u32 mask, const LaneOffsets& at) {
    const Request r = request(shadow, warp, access, at);
    const u32 runs = joined(at, mask, access.width());
    if (runs == kAllJoined) {
      if (read_as_before(r)) return 0;
      return r.by_barriers ? read_run(r, 0, kLanes) : read_lanes(r, mask);
    }
    u32 unwritten = 0;
    if (r.by_barriers && in_long_runs(mask, runs)) {
      for_each_run(
          mask, runs, [&](u32 lane, u32 lanes) __attribute__((always_inline)) {
            unwritten |= read_run(r, lane, lanes);
          });
      return unwritten;
    }
    const u32 groups = joined(at, mask, 0);
    if (groups == kAllJoined) // one stands for all
      return read_lane(r, 0, kSeveralLanes) ? mask : 0;
    if (r.by_barriers && in_long_runs(mask, groups)) {
      for_each_run(
          mask, groups, [&](u32 lane, u32 lanes) __attribute__((always_inline)) {
            unwritten |= read_group(r, lane, lanes);
          });
      return unwritten;
    }
    return read_any_lanes(r, mask);
  }

  // ---- writes

  [[gnu::always_inline]] static inline void check_write(const Request& r, u32 lane, u32 k) {
    const Record writer = r.writer[k], reader = r.reader[k];
    if (writer >= r.barrier && ((writer ^ (r.mine + lane)) & kWho) != 0 && !r.behind_us(writer) &&
        !r.is_told(writer)) [[unlikely]]
      r.shadow.check_writer(r.warp, r.access, lane, r.at.of[lane], writer);
    if (reader >= r.barrier && ((reader ^ (r.mine + lane)) & (kWho | kSeveral)) != 0 &&
        !r.behind_us(reader) && !r.is_told(reader)) [[unlikely]]
      r.shadow.check_reader(r.warp, r.access, lane, r.at.of[lane], k);
  }
  static void check_writes(const Request& r, u32 mask) {
    for (u32 lanes = mask; lanes; lanes &= lanes - 1) {
      const u32 lane = static_cast<u32>(std::countr_zero(lanes)), first = r.granule(lane);
      check_write(r, lane, first);
      for (u32 k = first + 1; k < first + r.granules; ++k) check_write(r, lane, k);
    }
  }
  [[gnu::always_inline]] static inline void check_written_run(const Request& r, u32 lane,
                                                              u32 lanes) {
    const u32 first = r.granule(lane), count = lanes << r.log_granules;
    if (lanes >= kShortRun && all_in_order(r, &r.writer[first], count, r.mine + lane, 0) &&
        all_in_order(r, &r.reader[first], count, r.mine + lane, kSeveral))
      return;
    check_writes(r, lanes_of_run(lane, lanes));
  }
  [[gnu::always_inline]] static inline void mark_lane(const Request& r, u32 lane) {
    const u32 first = r.granule(lane);
    r.writer[first] = r.mine + lane;
    for (u32 k = first + 1; k < first + r.granules; ++k) r.writer[k] = r.mine + lane;
  }

  [[gnu::always_inline]] static inline u32
  write(Shadow& shadow, Warp& warp, const MemoryOperand& access, u32 mask, const LaneOffsets& at) {
    const Request r = request(shadow, warp, access, at);
    // First all lanes are checked against what was before, then all are noted.
    const u32 runs = joined(at, mask, access.width());
    if (runs == kAllJoined) { // and no two write to one place
      check_written_run(r, 0, kLanes);
      mark(r, &r.writer[r.granule(0)], r.granules * kLanes, r.mine);
      return 0;
    }
    if (in_long_runs(mask, runs)) {
      for_each_run(
          mask, runs, [&](u32 lane, u32 lanes) __attribute__((always_inline)) {
            check_written_run(r, lane, lanes);
          });
      for_each_run(
          mask, runs, [&](u32 lane, u32 lanes) __attribute__((always_inline)) {
            mark(r, &r.writer[r.granule(lane)], lanes << r.log_granules, r.mine + lane);
          });
    } else if (r.granules == 1) {
      return write_scattered(r, mask);
    } else {
      check_writes(r, mask);
      for (u32 lanes = mask; lanes; lanes &= lanes - 1)
        mark_lane(r, static_cast<u32>(std::countr_zero(lanes)));
    }
    // One run writes to each place once.
    return (mask & ~(runs << 1)) == (mask & (0u - mask)) ? 0 : overwritten_of(r, mask);
  }

  static u32 read_any(Shadow& s, Warp& w, const MemoryOperand& a, u32 mask, const LaneOffsets& at) {
    return read(s, w, a, mask, at);
  }
  static u32 write_any(Shadow& s, Warp& w, const MemoryOperand& a, u32 mask,
                       const LaneOffsets& at) {
    return write(s, w, a, mask, at);
  }
  [[COURSE_AVX2]] static u32 read_avx2(Shadow& s, Warp& w, const MemoryOperand& a, u32 mask,
                                       const LaneOffsets& at) {
    return read(s, w, a, mask, at);
  }
  [[COURSE_AVX2]] static u32 write_avx2(Shadow& s, Warp& w, const MemoryOperand& a, u32 mask,
                                        const LaneOffsets& at) {
    return write(s, w, a, mask, at);
  }
};

namespace {

const bool kHasAvx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");

Message thread_of(const Block& block, Record r) {
  return Message(Says::thread, block.thread(block.warps[warp_of(r)], lane_of(r)));
}

// What would order an access of this warp and an earlier one. A barrier of one warp is not enough
// where others have read as well, and barriers in memory are for lanes of several.
Message missing(const Warp& warp, const MemoryOperand& access, u32 lane, Record before) {
  const MemoryOperand& other = *warp.block->launch->program->sites()[site_of(before)].access;
  const bool strong = is_strong(access);
  if (strong && (before & kAtomic) && of_other_size(access, other))
    return Message(Says::no_order_size, access.element, other.element);
  const bool one_warp = warp_of(before) == warp.index && !(before & kSeveralWarps);
  Message phase = one_warp ? Message() : missing_phase(warp, lane, warp.block->linear, before);
  return phase.empty() ? no_barrier_between(one_warp)
                       : Message(Says::no_barrier_nor_phase, std::move(phase));
}

// Once a race has been reported: whether a __syncwarp() could have been enough.
void note_across(Block& block, const MemoryOperand& access, const Warp& warp, Record before) {
  if (warp_of(before) != warp.index || (before & kSeveralWarps))
    block.checker->findings.across_warps({device::FindingKind::race, access.id, site_of(before)});
}

// Two stores of different lines to dynamic shared memory, of which one is gone before anybody has
// read it: arrays that a program carves out of one piece may lie over each other.
bool may_overlap(const Block& block, const MemoryOperand& access, const MemoryOperand& other,
                 u32 offset) {
  if (access.direction != Direction::store || other.direction != Direction::store) return false;
  const auto& sites = block.launch->program->sites();
  const Layout& layout = block.shared.layout();
  const u32 array = layout.array_at(offset);
  return sites[access.id].source.line != sites[other.id].source.line &&
         array < layout.arrays().size() && layout.arrays()[array].dynamic;
}

// Whether an access is a store of what is in shared memory already.
bool stores_what_is_there(const Warp& warp, const MemoryOperand& access, u32 lane, u32 offset) {
  if (access.direction != Direction::store || access.kind != model::RequestKind::shared_store)
    return false;
  for (std::size_t c = 0; c < access.components; ++c) {
    const std::byte* mine = warp.frame + access.value[c] + lane * access.element;
    const std::byte* there = warp.block->shared.bytes() + offset + c * access.element;
    if (std::memcmp(mine, there, access.element) != 0) return false;
  }
  return true;
}

} // namespace

void Shadow::resize(std::uint32_t bytes, std::uint32_t granule) {
  const auto shift = static_cast<u32>(std::countr_zero(granule));
  const std::size_t records = (std::size_t{bytes} >> shift) + 1;
  if (shift != shift_ || records > writer_.size()) {
    // Also when the granule changes: the records of another launch mean other bytes.
    writer_.assign(records, 0);
    reader_.assign(records, 0);
    other_reader_.assign(records, 0);
    shift_ = shift;
  }
}

std::uint32_t Shadow::next_stamp() {
  return ++stamp_;
}

void Shadow::next_step(Warp& warp) {
  warp.stamp = next_stamp();
}

Knowledge Shadow::knowledge(const Warp& warp, std::uint32_t lane) const {
  Knowledge known;
  known.all = barrier_;
  if (!known_warp_.empty())
    for (u32 other = 0; other < kLanes; ++other)
      if (const u32 stamp = known_warp_[warp.index * kLanes + other])
        known.warps.push_back({other, stamp});
  Knowledge own;
  own.warps.push_back({warp.index, warp.synchronised});
  for (const KnownLanes& lanes : known_lanes_)
    if (lanes.warp == warp.index)
      for (u32 other = 0; other < kLanes; ++other)
        if (const u32 stamp = lanes.stamp[lane][other])
          own.threads.push_back({warp.index * kLanes + other, stamp});
  known.add(own);
  Knowledge self;
  self.threads.push_back({warp.index * kLanes + lane, warp.stamp});
  known.add(self);
  return known;
}

void Shadow::begin_block(std::vector<Warp>& warps) {
  if (stamp_ > 0x70000000) { // start over before stamps run out, which takes days
    std::fill(writer_.begin(), writer_.end(), 0);
    std::fill(reader_.begin(), reader_.end(), 0);
    std::fill(other_reader_.begin(), other_reader_.end(), 0);
    stamp_ = 0;
  }
  block_ = next_stamp();
  barrier_ = block_;
  for (Warp& warp : warps) warp.stamp = warp.synchronised = block_;
  known_warp_.clear();
  known_lanes_.clear();
  unwritten_.clear();
}

void Shadow::end_block() {
  report_unwritten();
}

void Shadow::block_barrier(std::vector<Warp>& warps) {
  report_unwritten();
  barrier_ = next_stamp();
  for (Warp& warp : warps) warp.stamp = warp.synchronised = barrier_;
}

void Shadow::warp_barrier(Warp& warp, std::uint32_t members, bool all) {
  warp.stamp = next_stamp();
  if (all) {
    warp.synchronised = warp.stamp;
    return;
  }
  auto known = std::find_if(known_lanes_.begin(), known_lanes_.end(),
                            [&](const KnownLanes& k) { return k.warp == warp.index; });
  if (known == known_lanes_.end()) {
    known_lanes_.push_back({warp.index, {}});
    known = known_lanes_.end() - 1;
  }
  std::array<u32, kLanes> joint{}; // what any member knows, all know now
  for (int member = 0; member < kLanes; ++member) {
    if (!(members >> member & 1)) continue;
    for (int i = 0; i < kLanes; ++i) joint[i] = std::max(joint[i], known->stamp[member][i]);
  }
  for (int member = 0; member < kLanes; ++member)
    if (members >> member & 1) joint[member] = warp.stamp;
  for (int member = 0; member < kLanes; ++member)
    if (members >> member & 1) known->stamp[member] = joint;
}

void Shadow::partial_barrier(std::vector<Warp>& warps, std::uint32_t members, std::uint32_t passed,
                             const std::array<std::uint32_t, kLanes>& arrival) {
  if (known_warp_.empty()) known_warp_.assign(kLanes * kLanes, 0);
  const u32 stamp = next_stamp();
  const auto known_of = [&](u32 warp) { return known_warp_.begin() + warp * kLanes; };
  std::array<u32, kLanes> joint{};
  for (u32 member = 0; member < warps.size(); ++member) {
    if (!(members >> member & 1)) continue;
    for (u32 i = 0; i < kLanes; ++i) joint[i] = std::max(joint[i], known_of(member)[i]);
  }
  for (u32 member = 0; member < warps.size(); ++member) {
    if (!(members >> member & 1)) continue;
    const bool waited = !(passed >> member & 1);
    joint[member] = std::max(joint[member], waited ? stamp : arrival[member]);
    if (waited) warps[member].stamp = warps[member].synchronised = stamp;
  }
  for (u32 member = 0; member < warps.size(); ++member)
    if (members & ~passed & 1u << member) std::copy(joint.begin(), joint.end(), known_of(member));
}

bool Shadow::ordered(Record before, const Warp& warp, std::uint32_t lane) const {
  return ordered_by_barriers(before, warp, lane) ||
         warp.block->checker->order.is_told(warp.index, before) ||
         warp.block->checker->order.covers(warp.index * kLanes + lane, warp.block->linear, before);
}

bool Shadow::ordered_by_barriers(Record before, const Warp& warp, std::uint32_t lane) const {
  const u32 stamp = stamp_of(before);
  if (stamp < barrier_) return true;
  if (before & kSeveralWarps) {
    // Which warps is not known any more. With barriers of some warps in use, they may all be
    // ordered, and a doubtful race is not reported.
    return !known_warp_.empty();
  }
  if (warp_of(before) != warp.index) {
    return !known_warp_.empty() && stamp < known_warp_[warp.index * kLanes + warp_of(before)];
  }
  if (stamp < warp.synchronised) return true;
  const bool several = before & kSeveralLanes;
  if (lane_of(before) == lane && !several) return true;
  for (const KnownLanes& known : known_lanes_) {
    if (known.warp != warp.index) continue;
    return several || stamp < known.stamp[lane][lane_of(before)];
  }
  return false;
}

// Whether both are strong and so do not race. A store and a load that hand a value on without an
// atomic, a fence or a release are not let off: each is strong, but nothing orders what they carry.
// A load whose value only decides carries nothing, and two stores hand nothing on.
bool Shadow::both_strong(Record before, const Warp& warp, const MemoryOperand& access,
                         std::uint32_t lane) const {
  if (!(before & kAtomic) || !is_strong(access)) return false;
  const Block& block = *warp.block;
  const MemoryOperand& other = *block.launch->program->sites()[site_of(before)].access;
  if (of_other_size(access, other)) return false;
  if (access.direction == Direction::atomic || other.direction == Direction::atomic) return true;
  const bool stores = access.direction == Direction::store;
  if (stores && other.direction == Direction::store) return true;
  if (order_of(warp, stores ? other : access).only_decides) return true;
  const MemoryOperand& store = stores ? access : other;
  const u32 writer = stores ? warp.index * kLanes + lane : static_cast<u32>(before & kWho);
  return order_of(warp, store).releases || block.checker->order.has_fenced(writer);
}

// False when there is a race, which is then reported.
bool Shadow::check_writer(Warp& warp, const MemoryOperand& access, std::uint32_t lane,
                          std::uint32_t offset, Record before) {
  if (both_strong(before, warp, access, lane) || ordered(before, warp, lane)) return true;
  Block& block = *warp.block;
  const MemoryOperand& other = *block.launch->program->sites()[site_of(before)].access;
  // Several threads may store one value: whoever is last, it is there.
  if (other.direction == Direction::store && stores_what_is_there(warp, access, lane, offset)) {
    if (access.strong && other.strong) return true;
    block.checker->report(
        device::FindingKind::same_value, access.id, site_of(before), warp, lane, [&] {
          return Message(
              Says::meets_same_value,
              Message(Says::writes, block.shared.layout().describe(offset, access.width())),
              thread_of(block, before), missing(warp, access, lane, before));
        });
    return true;
  }
  block.checker->report(device::FindingKind::race, access.id, site_of(before), warp, lane, [&] {
    const Says did = other.direction == Direction::atomic ? Says::updated : Says::wrote;
    Message met(Says::meets, does(access, block.shared.layout().describe(offset, access.width())),
                Message(did, thread_of(block, before)), missing(warp, access, lane, before));
    return may_overlap(block, access, other, offset) ? Message(Says::may_overlap, std::move(met))
                                                     : met;
  });
  note_across(block, access, warp, before);
  return false;
}

bool Shadow::check_reader(Warp& warp, const MemoryOperand& access, std::uint32_t lane,
                          std::uint32_t offset, std::size_t granule) {
  Record before = reader_[granule];
  if (both_strong(before, warp, access, lane) || ordered(before, warp, lane)) return true;
  // Several lanes have read, the last of them the one that writes: the race is with another.
  const Record other = other_reader_[granule];
  if (warp_of(before) == warp.index && lane_of(before) == lane && stamp_of(other) >= barrier_ &&
      !ordered(other, warp, lane))
    before = other;
  Block& block = *warp.block;
  block.checker->report(device::FindingKind::race, access.id, site_of(before), warp, lane, [&] {
    const bool same = warp_of(before) == warp.index && lane_of(before) == lane;
    return Message(
        Says::meets, does(access, block.shared.layout().describe(offset, access.width())),
        Message(Says::did_read, same ? Message(Says::other_threads) : thread_of(block, before)),
        missing(warp, access, lane, before));
  });
  note_across(block, access, warp, before);
  return false;
}

bool Shadow::check_initialised(Warp& warp, const MemoryOperand& access, std::uint32_t lane,
                               std::uint32_t offset, std::uint32_t granule) {
  if (stamp_of(writer_[granule]) >= block_) return true;
  if (offset < warp.block->shared.layout().reserved_bytes()) return true;
  if (warp.block->checker->remote.has_written(granule << shift_)) return true;
  constexpr std::size_t kMostKept = 1u << 16; // between two barriers; then they are judged early
  if (unwritten_.size() >= kMostKept) report_unwritten();
  unwritten_.push_back({&warp, &access, lane, offset, granule});
  return false;
}

void Shadow::report_uninitialised(Warp& warp, const MemoryOperand& access, std::uint32_t lane,
                                  std::uint32_t offset) {
  Block& block = *warp.block;
  block.checker->report(device::FindingKind::uninitialised, access.id, kNone, warp, lane, [&] {
    const Says verb = access.direction == Direction::atomic ? Says::updates : Says::reads;
    return unwritten(Message(verb, block.shared.layout().describe(offset, access.width())));
  });
}

// Whether a read was of a word that nothing had written, whatever the order: nothing has written it
// since, or the reader itself.
bool Shadow::is_unwritten(std::uint32_t offset, const Warp& warp, std::uint32_t lane) const {
  const Record writer = writer_[offset >> shift_];
  return stamp_of(writer) < block_ || (warp_of(writer) == warp.index && lane_of(writer) == lane);
}

void Shadow::report_unwritten() {
  for (const Unwritten& read : unwritten_) {
    if (is_unwritten(read.granule << shift_, *read.warp, read.lane))
      report_uninitialised(*read.warp, *read.access, read.lane, read.offset);
  }
  unwritten_.clear();
}

void Shadow::note_reader(const Warp& warp, std::uint32_t lane, std::size_t granule, Record mine) {
  Record& reader = reader_[granule];
  if ((reader ^ mine) & kWho) other_reader_[granule] = reader;
  if (warp_of(reader) != warp.index) {
    reader = ordered(reader, warp, lane) ? mine : mine | kSeveralWarps;
  } else if (lane_of(reader) != lane || (reader & kSeveralLanes)) {
    // Of two reads of one warp that are in order, by a __syncwarp or a lock, the later stands for
    // both: who is ordered after it is ordered after the earlier one.
    const bool earlier =
        stamp_of(reader) < warp.synchronised ||
        (warp.block->checker->order.active() && !(reader & kSeveralLanes) &&
         warp.block->checker->order.covers(warp.index * kLanes + lane, warp.block->linear, reader));
    if (!earlier) mine |= kSeveralLanes;
    reader = mine;
  } else {
    reader = mine | (reader & kSeveralLanes);
  }
}

std::uint32_t Shadow::read(Warp& warp, const MemoryOperand& access, std::uint32_t mask,
                           const LaneOffsets& at, bool follows) {
  const std::size_t before = unwritten_.size();
  u32 found = kHasAvx2 ? ShadowLoops<true>::read_avx2(*this, warp, access, mask, at)
                       : ShadowLoops<false>::read_any(*this, warp, access, mask, at);
  if (found && follows) [[unlikely]]
    unwritten_.resize(std::min(before, unwritten_.size()));
  if (warp.block->checker->keeps_undefined) [[unlikely]] {
    const u32 undefined = warp.block->checker->undefined->reads(access, mask, at);
    for (u32 left = follows ? 0 : undefined; left; left &= left - 1)
      warp.block->checker->undefined->read_by_others(at.of[lowest(left)], access.width());
    found |= undefined;
  }
  return found;
}

bool Shadow::read_at_once(Warp& warp, const MemoryOperand& access, std::uint32_t offset,
                          Record& right) {
  if (warp.block->checker->keeps_undefined) [[unlikely]]
    warp.block->checker->undefined->read_by_others(offset, access.width());
  const u32 first = offset >> shift_, count = access.width() >> shift_;
  const Record block = Record{block_} << 32, barrier = Record{barrier_} << 32;
  for (u32 k = first; k < first + count; ++k) {
    const Record before = writer_[k];
    if (before == right || (before >= block && before < barrier)) continue;
    if (before < block) {
      if (!check_initialised(warp, access, 0, offset, k)) return false;
      continue;
    }
    u32 lane = 0;
    while (warp_of(before) != warp.index && lane < kLanes && !ordered(before, warp, lane)) ++lane;
    if (lane == kLanes && !check_writer(warp, access, 0, offset, before)) return false;
    right = before;
  }
  return true;
}

std::uint32_t Shadow::write(Warp& warp, const MemoryOperand& access, std::uint32_t mask,
                            const LaneOffsets& at) {
  if (warp.block->checker->keeps_undefined) [[unlikely]]
    warp.block->checker->undefined->overwrite(access, mask, at);
  return kHasAvx2 ? ShadowLoops<true>::write_avx2(*this, warp, access, mask, at)
                  : ShadowLoops<false>::write_any(*this, warp, access, mask, at);
}

std::uint32_t Shadow::atomic(Warp& warp, const MemoryOperand& access, std::uint32_t mask,
                             const LaneOffsets& at) {
  if (warp.block->checker->keeps_undefined) [[unlikely]] {
    for (u32 lanes = mask; lanes; lanes &= lanes - 1)
      warp.block->checker->undefined->read_by_others(at.of[lowest(lanes)], access.width());
    warp.block->checker->undefined->overwrite(access, mask, at);
  }
  const u32 granules = access.width() >> shift_;
  const Record barrier = Record{barrier_} << 32;
  const Record mine = record(warp.stamp, access.id, warp.index) | kAtomic;
  const u32 reserved = warp.block->shared.layout().reserved_bytes();
  const bool sizes = warp.block->launch->entry->strong_sizes > 1; // in shared memory
  u32 uninitialised = 0;
  for (u32 lanes = mask; lanes; lanes &= lanes - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(lanes));
    const u32 first = at.of[lane] >> shift_;
    for (u32 k = first; k < first + granules; ++k) {
      // Reported at once: with this very access the granule counts as written.
      if (stamp_of(writer_[k]) < block_) {
        // Not an exchange whose old value nobody wants.
        if (order_of(warp, access).reads && at.of[lane] >= reserved &&
            !warp.block->checker->remote.has_written(k << shift_)) {
          uninitialised |= 1u << lane;
          report_uninitialised(warp, access, lane, at.of[lane]);
        }
      } else if (writer_[k] >= barrier && (sizes || !(writer_[k] & kAtomic))) {
        // What both_strong lets pass is not looked at.
        check_writer(warp, access, lane, at.of[lane], writer_[k]);
      }
      if (reader_[k] >= barrier && (sizes || !(reader_[k] & kAtomic)))
        check_reader(warp, access, lane, at.of[lane], k);
    }
  }
  for (u32 lanes = mask; lanes; lanes &= lanes - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(lanes));
    const u32 first = at.of[lane] >> shift_;
    for (u32 k = first; k < first + granules; ++k) writer_[k] = mine + lane;
  }
  return uninitialised;
}

} // namespace course::emulator
