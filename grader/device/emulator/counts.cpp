#include "device/emulator/counts.hpp"

#include "device/emulator/block.hpp"
#include "device/emulator/lanes.hpp"
#include "device/emulator/launch.hpp"
#include "device/emulator/request_log.hpp"
#include "device/model/atomics.hpp"
#include "device/model/constant.hpp"
#include "device/model/sectors.hpp"

#include <bit>

namespace course::emulator {
namespace {

// Distances from the first lane, and whether they are those of the last request.
template <typename Lanes>
[[gnu::always_inline]] inline bool as_before(AccessCounter::Last& last, const Lanes& at,
                                             std::uint32_t active, std::uint32_t phase) {
  alignas(64) std::array<std::uint32_t, kLanes> apart;
  std::uint32_t changed = 0;
  for (int i = 0; i < kLanes; ++i) {
    apart[i] = static_cast<std::uint32_t>(at.of[i] - at.of[0]);
    changed |= apart[i] ^ last.apart[i];
  }
  if (!changed && active == last.active && phase == last.phase) return true;
  last.apart = apart;
  last.active = active;
  last.phase = phase;
  return false;
}

template <typename Lanes>
[[COURSE_AVX2, gnu::flatten]] bool as_before_avx2(AccessCounter::Last& last, const Lanes& at,
                                                  std::uint32_t active, std::uint32_t phase) {
  return as_before(last, at, active, phase);
}
template <typename Lanes>
bool same_pattern(AccessCounter::Last& last, const Lanes& at, std::uint32_t active,
                  std::uint32_t phase) {
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  return has_avx2 ? as_before_avx2(last, at, active, phase) : as_before(last, at, active, phase);
}

[[gnu::noinline]] void keep_worst(AccessCounter& counter, const Warp& warp, std::uint32_t active,
                                  std::uint32_t width, std::uint32_t excess) {
  counter.worst_excess = excess;
  counter.worst_block = warp.block->linear;
  counter.worst.block = warp.block->index;
  counter.worst.warp = warp.index;
  counter.worst.active = active;
  counter.worst.width = width;
}

template <typename Lanes>
void keep_if_worst(AccessCounter& counter, const Warp& warp, std::uint32_t active,
                   std::uint32_t width, std::uint32_t excess, const Lanes& at) {
  if (counter.requests > 1 && excess <= counter.worst_excess) return;
  keep_worst(counter, warp, active, width, excess);
  for (int i = 0; i < kLanes; ++i) counter.worst.offset[i] = at.of[i];
}

// Where the lanes' bytes are on the device, whose arrays have no guards between them.
LaneOffsets on_hardware(const Warp& warp, const LaneOffsets& at) {
  LaneOffsets hardware = at;
  for (std::uint32_t& offset : hardware.of)
    offset = warp.block->shared.layout().hardware_offset(offset);
  return hardware;
}

void count_shared_request(AccessCounter& counter, const Access& access, std::uint32_t width,
                          const Warp& warp, std::uint32_t active, const LaneOffsets& at) {
  if (!same_pattern(counter.last, at, active, at.of[0] % model::kWordBytes)) {
    model::Request request;
    request.access = access.kind;
    request.width = static_cast<int>(width);
    request.active = active;
    request.offset = at.of;
    counter.last.passes = model::shared_passes(warp.block->launch->banks, request);
  }
  const model::Passes& passes = counter.last.passes;
  ++counter.requests;
  counter.wavefronts += static_cast<std::uint64_t>(passes.wavefronts);
  counter.ideal += static_cast<std::uint64_t>(passes.ideal);
  ++counter.ways[static_cast<std::size_t>(passes.ways)];
  const auto excess = static_cast<std::uint32_t>(passes.conflicts());
  if (RequestLog* log = warp.block->launch->log) [[unlikely]]
    log->see(access, warp, active, width, on_hardware(warp, at));
  if (counter.requests > 1 && excess <= counter.worst_excess) return;
  keep_if_worst(counter, warp, active, width, excess, on_hardware(warp, at));
}

} // namespace

void AccessCounter::add(const AccessCounter& other) {
  if (other.requests == 0) return;
  const bool replace = requests == 0 || other.worst_excess > worst_excess ||
                       (other.worst_excess == worst_excess && other.worst_block < worst_block);
  requests += other.requests;
  wavefronts += other.wavefronts;
  ideal += other.ideal;
  sectors += other.sectors;
  replays += other.replays;
  for (std::size_t n = 0; n < ways.size(); ++n) ways[n] += other.ways[n];
  if (!replace) return;
  worst_excess = other.worst_excess;
  worst_block = other.worst_block;
  worst = other.worst;
}

void add(Counters& to, const Counters& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t id = 0; id < from.size(); ++id) {
    if (!from[id]) continue;
    if (!to[id]) to[id] = std::make_unique<AccessCounter>();
    to[id]->add(*from[id]);
  }
}

void count_shared(AccessCounter& counter, const Access& access, const Warp& warp,
                  std::uint32_t active, const LaneOffsets& at) {
  const std::uint32_t width = access.counted_width;
  if (width == 0) return;
  if (access.one_lane) active &= 0u - active;
  for (const std::uint32_t begin : access.begins) {
    LaneOffsets moved;
    const LaneOffsets* offsets = &at;
    if (width != access.width()) {
      for (int i = 0; i < kLanes; ++i) moved.of[i] = (at.of[i] + begin) & ~(width - 1);
      offsets = &moved;
    }
    count_shared_request(counter, access, width, warp, active, *offsets);
  }
}

void count_global(AccessCounter& counter, const Access& access, const Warp& warp,
                  std::uint32_t active, const LaneAddresses& at) {
  if (access.counted_width == 0) return;
  const auto phase = static_cast<std::uint32_t>(at.of[0] % model::kSectorBytes);
  // Lanes may be further apart than 32 bits can say: then nothing is remembered.
  std::uint64_t far = 0;
  for (int i = 0; i < kLanes; ++i) far |= (at.of[i] - at.of[0] + 0x80000000u) >> 32;
  if (far || !same_pattern(counter.last, at, active, phase)) {
    counter.last.sectors = model::sectors(active, at.of);
    if (far) counter.last.active = 0;
  }
  ++counter.requests;
  counter.sectors += static_cast<std::uint64_t>(counter.last.sectors);
  if (RequestLog* log = warp.block->launch->log) [[unlikely]]
    log->see(access, warp, active, access.width(), at);
  keep_if_worst(counter, warp, active, access.width(),
                static_cast<std::uint32_t>(counter.last.sectors), at);
}

void count_constant(AccessCounter& counter, const Access& access, const Warp& warp,
                    std::uint32_t active, const LaneOffsets& at) {
  if (access.counted_width == 0) return;
  const int replays = model::constant_replays(active, static_cast<int>(access.width()), at.of);
  ++counter.requests;
  counter.replays += static_cast<std::uint64_t>(replays);
  if (RequestLog* log = warp.block->launch->log) [[unlikely]]
    log->see(access, warp, active, access.width(), at);
  keep_if_worst(counter, warp, active, access.width(), static_cast<std::uint32_t>(replays), at);
}

std::string access_name(const Access& access) {
  if (!access.name.empty()) return access.name;
  const std::string width =
      std::to_string(access.counted_width ? access.counted_width : access.width());
  switch (access.space) {
  case ptx::Space::shared:
    switch (access.direction) {
    case Direction::load:
      return "shared_load_" + width;
    case Direction::store:
      return "shared_store_" + width;
    case Direction::atomic:
      break;
    }
    break;
  case ptx::Space::constant:
    return "constant_load_" + width;
  default:
    switch (access.direction) {
    case Direction::load:
      return "global_load_" + width;
    case Direction::store:
      return "global_store_" + width;
    case Direction::atomic:
      break;
    }
  }
  return {};
}

} // namespace course::emulator
