// Long, because the loops that sort out what is in order, and what is done with the rest, read the
// same records.
#include "device/emulator/check/race.hpp"

#include "device/emulator/execute/block.hpp"
#include "device/emulator/execute/lanes.hpp"
#include "device/emulator/execute/launch.hpp"

#include <algorithm>
#include <bit>

namespace course::emulator {

// The loops over lanes, once for any processor and once for AVX2. They sort out what is in order,
// which is nearly everything; the rest goes lane by lane to the functions of Shadow.
template <bool kAvx2>
struct ShadowLoops {
  // How the lanes' offsets lie: many accesses are one of the first two.
  enum class Shape { same, neighbours, other };
  [[gnu::always_inline]] static inline Shape shape(const LaneOffsets& at, u32 mask, u32 width) {
    if (mask != kAllLanes) return Shape::other;
    u32 differs = 0, apart = 0;
    for (int i = 0; i < kLanes; ++i) {
      differs |= at.of[i] ^ at.of[0];
      apart |= at.of[i] ^ (at.of[0] + static_cast<u32>(i) * width);
    }
    return !differs ? Shape::same : !apart ? Shape::neighbours : Shape::other;
  }

  // Whether all records from `first` are in [low, high).
  [[gnu::always_inline]] static inline bool all_within(const Record* first, u32 count, Record low,
                                                       Record high) {
    u64 outside = 0;
    for (u32 k = 0; k < count; ++k) outside |= first[k] - low >= high - low ? 1 : 0;
    return outside == 0;
  }
  // Whether all were made before `since`, or by the same lane: neighbours' records.
  [[gnu::always_inline]] static inline bool all_own(const Record* first, u32 count, Record since,
                                                    Record mine, u32 log_granules, Record flags) {
    u64 foreign = 0;
    for (u32 k = 0; k < count; ++k) {
      const Record own = mine + (k >> log_granules);
      foreign |= first[k] >= since && ((first[k] ^ own) & (kWho | flags)) != 0 ? 1 : 0;
    }
    return foreign == 0;
  }
  [[gnu::always_inline]] static inline void mark(Record* first, u32 count, Record mine,
                                                 u32 log_granules) {
    for (u32 k = 0; k < count; ++k) first[k] = mine + (k >> log_granules);
  }

  [[gnu::always_inline]] static inline u32 read(Shadow& shadow, Warp& warp, const Access& access,
                                                u32 mask, const LaneOffsets& at) {
    const u32 granules = access.width() >> shadow.shift_;
    const u32 log_granules = static_cast<u32>(std::countr_zero(granules));
    const Record block = Record{shadow.block_} << 32, barrier = Record{shadow.barrier_} << 32;
    const Record mine = record(warp.stamp, access.id, warp.index) | (access.strong ? kAtomic : 0);
    const Shape lie = shape(at, mask, access.width());

    if (lie == Shape::neighbours) {
      Record* writer = &shadow.writer_[at.of[0] >> shadow.shift_];
      Record* reader = &shadow.reader_[at.of[0] >> shadow.shift_];
      const u32 count = granules * kLanes;
      if (all_within(writer, count, block, barrier)) {
        u64 fresh = 0, unknown = 0;
        for (u32 k = 0; k < count; ++k) {
          fresh |= reader[k] >= barrier ? 1 : 0;
          unknown |= reader[k] >= barrier && (reader[k] & kSeveralWarps) ? 0 : 1;
        }
        if (!fresh) {
          mark(reader, count, mine, log_granules);
          return 0;
        }
        if (!unknown) return 0;
      }
    }

    u32 uninitialised = 0;
    u32 lanes = mask;
    Record shared = mine; // when all lanes read the same, one stands for all
    if (lie == Shape::same) {
      lanes = 1;
      shared |= kSeveralLanes;
    }
    for (; lanes; lanes &= lanes - 1) {
      const u32 lane = static_cast<u32>(std::countr_zero(lanes));
      const u32 first = at.of[lane] >> shadow.shift_;
      for (u32 k = first; k < first + granules; ++k) {
        const Record before = shadow.writer_[k];
        if (before - block >= barrier - block &&
            ((before ^ (mine + lane)) & kWho || before < block)) [[unlikely]] {
          if (before < block) {
            if (!shadow.check_initialised(warp, access, lane, at.of[lane], k))
              uninitialised |= lie == Shape::same ? mask : 1u << lane;
          } else {
            shadow.check_writer(warp, access, lane, at.of[lane], before);
          }
        }
        Record& reader = shadow.reader_[k];
        if (reader < barrier)
          reader = shared + lane;
        else if (!(reader & kSeveralWarps))
          shadow.note_reader(warp, lane, k, shared + lane);
      }
    }
    return uninitialised;
  }

  [[gnu::always_inline]] static inline u32 write(Shadow& shadow, Warp& warp, const Access& access,
                                                 u32 mask, const LaneOffsets& at) {
    const u32 granules = access.width() >> shadow.shift_;
    const u32 log_granules = static_cast<u32>(std::countr_zero(granules));
    const Record barrier = Record{shadow.barrier_} << 32;
    const Record mine = record(warp.stamp, access.id, warp.index) | (access.strong ? kAtomic : 0);
    constexpr Record kSeveral = kSeveralLanes | kSeveralWarps;

    if (shape(at, mask, access.width()) == Shape::neighbours) {
      Record* writer = &shadow.writer_[at.of[0] >> shadow.shift_];
      const Record* reader = &shadow.reader_[at.of[0] >> shadow.shift_];
      const u32 count = granules * kLanes;
      if (all_own(writer, count, barrier, mine, log_granules, 0) &&
          all_own(reader, count, barrier, mine, log_granules, kSeveral)) {
        mark(writer, count, mine, log_granules);
        return 0;
      }
    }

    // First all lanes are checked against what was before, then all are noted.
    for (u32 lanes = mask; lanes; lanes &= lanes - 1) {
      const u32 lane = static_cast<u32>(std::countr_zero(lanes));
      const u32 first = at.of[lane] >> shadow.shift_;
      for (u32 k = first; k < first + granules; ++k) {
        const Record writer = shadow.writer_[k], reader = shadow.reader_[k];
        if (writer >= barrier && ((writer ^ (mine + lane)) & kWho)) [[unlikely]]
          shadow.check_writer(warp, access, lane, at.of[lane], writer);
        if (reader >= barrier && ((reader ^ (mine + lane)) & (kWho | kSeveral))) [[unlikely]]
          shadow.check_reader(warp, access, lane, at.of[lane], k);
      }
    }
    for (u32 lanes = mask; lanes; lanes &= lanes - 1) {
      const u32 lane = static_cast<u32>(std::countr_zero(lanes));
      const u32 first = at.of[lane] >> shadow.shift_;
      for (u32 k = first; k < first + granules; ++k) shadow.writer_[k] = mine + lane;
    }
    u32 overwritten = 0;
    for (u32 lanes = mask; lanes; lanes &= lanes - 1) {
      const u32 lane = static_cast<u32>(std::countr_zero(lanes));
      if (lane_of(shadow.writer_[at.of[lane] >> shadow.shift_]) != lane) overwritten |= 1u << lane;
    }
    return overwritten;
  }

  static u32 read_any(Shadow& s, Warp& w, const Access& a, u32 mask, const LaneOffsets& at) {
    return read(s, w, a, mask, at);
  }
  static u32 write_any(Shadow& s, Warp& w, const Access& a, u32 mask, const LaneOffsets& at) {
    return write(s, w, a, mask, at);
  }
  [[COURSE_AVX2]] static u32 read_avx2(Shadow& s, Warp& w, const Access& a, u32 mask,
                                       const LaneOffsets& at) {
    return read(s, w, a, mask, at);
  }
  [[COURSE_AVX2]] static u32 write_avx2(Shadow& s, Warp& w, const Access& a, u32 mask,
                                        const LaneOffsets& at) {
    return write(s, w, a, mask, at);
  }
};

namespace {

const bool kHasAvx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");

std::string thread_of(const Block& block, Record r) {
  return "thread " + text(block.thread(block.warps[warp_of(r)], lane_of(r)));
}

// What would order an access of this warp and an earlier one. A barrier of one warp is not enough
// where others have read as well.
const char* missing(const Warp& warp, Record before) {
  return no_barrier_between(warp_of(before) == warp.index && !(before & kSeveralWarps));
}

// Whether an access is a store of what is in shared memory already.
bool stores_what_is_there(const Warp& warp, const Access& access, u32 lane, u32 offset) {
  if (access.direction != Direction::store || access.kind != model::Access::shared_store)
    return false;
  for (std::size_t c = 0; c < access.components; ++c) {
    const std::byte* mine = warp.frame + access.value[c] + lane * access.element;
    const std::byte* there = warp.block->shared.bytes() + offset + c * access.element;
    if (std::memcmp(mine, there, access.element) != 0) return false;
  }
  return true;
}

} // namespace

const char* no_barrier_between(bool one_warp) {
  return one_warp ? "no __syncwarp or barrier is between the two" : "no barrier is between the two";
}

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
  if (stamp_ > 0xf0000000) { // start over before stamps run out, which takes days
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
         warp.block->order.covers(warp.index * kLanes + lane, warp.block->linear, before);
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
// A load whose value only decides carries nothing.
bool Shadow::both_strong(Record before, const Warp& warp, const Access& access,
                         std::uint32_t lane) const {
  if (!(before & kAtomic) || !(access.strong || access.direction == Direction::atomic))
    return false;
  const Block& block = *warp.block;
  const Access& other = *block.launch->program->sites()[site_of(before)].access;
  if (access.direction == Direction::atomic || other.direction == Direction::atomic) return true;
  const bool stores = access.direction == Direction::store;
  if (order_of(warp, stores ? other : access).only_decides) return true;
  const Access& store = stores ? access : other;
  const u32 writer = stores ? warp.index * kLanes + lane : static_cast<u32>(before & kWho);
  return order_of(warp, store).releases || block.order.has_fenced(writer);
}

// False when there is a race, which is then reported.
bool Shadow::check_writer(Warp& warp, const Access& access, std::uint32_t lane,
                          std::uint32_t offset, Record before) {
  if (both_strong(before, warp, access, lane) || ordered(before, warp, lane)) return true;
  Block& block = *warp.block;
  const Access& other = *block.launch->program->sites()[site_of(before)].access;
  // Several threads may store one value: whoever is last, it is there.
  if (other.direction == Direction::store && stores_what_is_there(warp, access, lane, offset)) {
    if (access.strong && other.strong) return true;
    block.report(device::FindingKind::same_value, access.id, site_of(before), warp, lane, [&] {
      return "writes " + block.shared.layout().describe(offset, access.width()) + ", to which " +
             thread_of(block, before) + " writes the same value, and " + missing(warp, before);
    });
    return true;
  }
  block.report(device::FindingKind::race, access.id, site_of(before), warp, lane, [&] {
    const char* does = access.direction == Direction::load ? "reads " : "writes ";
    return does + block.shared.layout().describe(offset, access.width()) + ", which " +
           thread_of(block, before) + " wrote, and " + missing(warp, before);
  });
  return false;
}

bool Shadow::check_reader(Warp& warp, const Access& access, std::uint32_t lane,
                          std::uint32_t offset, std::size_t granule) {
  Record before = reader_[granule];
  if (both_strong(before, warp, access, lane) || ordered(before, warp, lane)) return true;
  // Several lanes have read, the last of them the one that writes: the race is with another.
  const Record other = other_reader_[granule];
  if (warp_of(before) == warp.index && lane_of(before) == lane && stamp_of(other) >= barrier_ &&
      !ordered(other, warp, lane))
    before = other;
  Block& block = *warp.block;
  block.report(device::FindingKind::race, access.id, site_of(before), warp, lane, [&] {
    const bool same = warp_of(before) == warp.index && lane_of(before) == lane;
    return "writes " + block.shared.layout().describe(offset, access.width()) + ", which " +
           (same ? "other threads" : thread_of(block, before)) + " read, and " +
           missing(warp, before);
  });
  return false;
}

bool Shadow::check_initialised(Warp& warp, const Access& access, std::uint32_t lane,
                               std::uint32_t offset, std::uint32_t granule) {
  if (stamp_of(writer_[granule]) >= block_) return true;
  if (warp.block->remote.has_written(granule << shift_)) return true;
  constexpr std::size_t kMostKept = 1u << 16; // between two barriers; then they are judged early
  if (unwritten_.size() >= kMostKept) report_unwritten();
  unwritten_.push_back({&warp, &access, lane, offset, granule});
  return false;
}

void Shadow::report_uninitialised(Warp& warp, const Access& access, std::uint32_t lane,
                                  std::uint32_t offset) {
  Block& block = *warp.block;
  block.report(device::FindingKind::uninitialised, access.id, kNone, warp, lane, [&] {
    const char* does = access.direction == Direction::atomic ? "updates " : "reads ";
    return does + block.shared.layout().describe(offset, access.width()) +
           ", which nothing has written";
  });
}

// Whether the read was of a word that nothing had written, whatever the order: nothing has written
// it since, or the reader itself.
bool Shadow::is_unwritten(const Unwritten& read) const {
  const Record writer = writer_[read.granule];
  return stamp_of(writer) < block_ ||
         (warp_of(writer) == read.warp->index && lane_of(writer) == read.lane);
}

void Shadow::report_unwritten() {
  for (const Unwritten& read : unwritten_) {
    if (is_unwritten(read)) report_uninitialised(*read.warp, *read.access, read.lane, read.offset);
  }
  unwritten_.clear();
}

void Shadow::note_reader(const Warp& warp, std::uint32_t lane, std::size_t granule, Record mine) {
  Record& reader = reader_[granule];
  if ((reader ^ mine) & kWho) other_reader_[granule] = reader;
  if (warp_of(reader) != warp.index) {
    reader = ordered(reader, warp, lane) ? mine : mine | kSeveralWarps;
  } else if (lane_of(reader) != lane || (reader & kSeveralLanes)) {
    // Of two reads of one warp with a __syncwarp between them, the later stands for both: who is
    // ordered after it is ordered after the earlier one.
    const bool earlier = stamp_of(reader) < warp.synchronised;
    if (!earlier) mine |= kSeveralLanes;
    reader = mine;
  } else {
    reader = mine | (reader & kSeveralLanes);
  }
}

std::uint32_t Shadow::read(Warp& warp, const Access& access, std::uint32_t mask,
                           const LaneOffsets& at) {
  return kHasAvx2 ? ShadowLoops<true>::read_avx2(*this, warp, access, mask, at)
                  : ShadowLoops<false>::read_any(*this, warp, access, mask, at);
}

bool Shadow::read_at_once(Warp& warp, const Access& access, std::uint32_t offset, Record& right) {
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

std::uint32_t Shadow::write(Warp& warp, const Access& access, std::uint32_t mask,
                            const LaneOffsets& at) {
  return kHasAvx2 ? ShadowLoops<true>::write_avx2(*this, warp, access, mask, at)
                  : ShadowLoops<false>::write_any(*this, warp, access, mask, at);
}

std::uint32_t Shadow::atomic(Warp& warp, const Access& access, std::uint32_t mask,
                             const LaneOffsets& at) {
  const u32 granules = access.width() >> shift_;
  const Record barrier = Record{barrier_} << 32;
  const Record mine = record(warp.stamp, access.id, warp.index) | kAtomic;
  u32 uninitialised = 0;
  for (u32 lanes = mask; lanes; lanes &= lanes - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(lanes));
    const u32 first = at.of[lane] >> shift_;
    for (u32 k = first; k < first + granules; ++k) {
      // Reported at once: with this very access the granule counts as written.
      if (stamp_of(writer_[k]) < block_) {
        if (order_of(warp, access).reads &&
            !warp.block->remote.has_written(
                k << shift_)) { // not an exchange whose old value nobody wants
          uninitialised |= 1u << lane;
          report_uninitialised(warp, access, lane, at.of[lane]);
        }
      } else if (writer_[k] >= barrier) {
        check_writer(warp, access, lane, at.of[lane], writer_[k]);
      }
      if (reader_[k] >= barrier) check_reader(warp, access, lane, at.of[lane], k);
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
