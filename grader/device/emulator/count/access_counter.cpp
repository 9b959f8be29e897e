#include "device/emulator/count/access_counter.hpp"

#include "device/emulator/count/deferred.hpp"
#include "device/emulator/count/request_log.hpp"
#include "device/emulator/decode/windows.hpp"
#include "device/emulator/state/lanes.hpp"
#include "device/emulator/state/launch.hpp"
#include "device/model/async_copy.hpp"
#include "device/model/constant.hpp"
#include "device/model/counted.hpp"
#include "device/model/older.hpp"
#include "device/model/remote.hpp"
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

// Whether the request is the one to show: the worst, and among equals the first of the lowest
// block, in whatever order blocks come.
bool is_worst(const AccessCounter& counter, const Warp& warp, std::uint32_t excess) {
  if (counter.requests == 1 || excess > counter.worst_excess) return true;
  return excess == counter.worst_excess && warp.block->linear < counter.worst_block;
}

template <typename Lanes>
void keep_if_worst(AccessCounter& counter, const Warp& warp, std::uint32_t active,
                   std::uint32_t width, std::uint32_t excess, const Lanes& at) {
  if (!is_worst(counter, warp, excess)) return;
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

[[gnu::always_inline]] inline void add_passes(AccessCounter& counter, const MemoryOperand& access,
                                              std::uint32_t width, const Warp& warp,
                                              std::uint32_t active, const LaneOffsets& at,
                                              const model::Passes& passes) {
  ++counter.requests;
  counter.wavefronts += static_cast<std::uint64_t>(passes.wavefronts);
  counter.ideal += static_cast<std::uint64_t>(passes.ideal);
  ++counter.ways[static_cast<std::size_t>(passes.ways)];
  const auto excess = static_cast<std::uint32_t>(passes.conflicts());
  if (RequestLog* log = warp.block->launch->log) [[unlikely]]
    if (log->see(access, warp, active, width, on_hardware(warp, at)))
      log->see_values(access, warp,
                      [&](int lane) { return warp.block->shared.bytes() + at.of[lane]; });
  if (is_worst(counter, warp, excess))
    keep_if_worst(counter, warp, active, width, excess, on_hardware(warp, at));
}

void see_proof(AccessCounter& counter, const MemoryOperand& access, const Warp& warp,
               std::uint32_t active) {
  if (access.proof == Proof::exact) [[likely]]
    return;
  counter.doubtful = counter.doubtful || access.proof != Proof::whole_warps || active != warp.live;
}

// Attempts of a loop are repeated while others succeed. Within a warp the rules say how often;
// between warps it depends on when they come.
bool may_repeat(const MemoryOperand& access) {
  return access.kind == model::RequestKind::shared_atomic_loop ||
         access.kind == model::RequestKind::shared_atomic_cas;
}
void see_others(AccessCounter& counter, const MemoryOperand& access, Warp& warp,
                std::uint32_t active, const LaneOffsets& at) {
  if (!may_repeat(access) || warp.block->warps.size() < 2) return;
  if (access.one_lane) active &= 0u - active;
  const model::Request request{access.kind, static_cast<int>(access.width()), active, at.of};
  counter.turns = counter.turns || model::may_conflict_again(request);
  auto& last = warp.block->attempted_by; // warp + 1
  auto& counted = warp.block->attempted_at;
  if (last.empty()) {
    last.resize(warp.block->shared.layout().guarded_bytes() / model::kWordBytes + 1);
    counted.resize(last.size());
  }
  for (std::uint32_t left = active; left; left &= left - 1) {
    const auto word = at.of[std::countr_zero(left)] / model::kWordBytes;
    if (last[word] != 0 && last[word] != warp.index + 1)
      counter.at_least = counted[word]->at_least = true; // either may have to try again
    last[word] = static_cast<std::uint8_t>(warp.index + 1);
    counted[word] = &counter;
  }
}

void count_shared_request(AccessCounter& counter, const MemoryOperand& access, std::uint32_t width,
                          const Warp& warp, std::uint32_t active, const LaneOffsets& at) {
  if (!same_pattern(counter.last, at, active, at.of[0] % model::kWordBytes)) {
    model::Request request;
    request.access = access.kind;
    request.width = static_cast<int>(width);
    request.active = active;
    request.offset = at.of;
    counter.last.passes = model::shared_passes(*warp.block->launch->banks, request);
  }
  add_passes(counter, access, width, warp, active, at, counter.last.passes);
}

} // namespace

void AccessCounter::add(const AccessCounter& other) {
  if (other.requests == 0) return;
  const bool replace = requests == 0 || other.worst_excess > worst_excess ||
                       (other.worst_excess == worst_excess && other.worst_block < worst_block);
  model::add_counts(*this, other);
  doubtful = doubtful || other.doubtful;
  if (!allocation) allocation = other.allocation;
  at_least = at_least || other.at_least;
  turns = turns || other.turns;
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

void count_shared(AccessCounter& counter, const MemoryOperand& access, Warp& warp,
                  std::uint32_t active, const LaneOffsets& at) {
  see_proof(counter, access, warp, active);
  see_others(counter, access, warp, active, at);
  if (access.deferral.until == Deferral::Until::now) [[likely]]
    count_shared_now(counter, access, warp, active, at);
  else
    defer(counter, access, warp, active, at);
}

void count_global(AccessCounter& counter, const MemoryOperand& access, Warp& warp,
                  std::uint32_t active, const LaneAddresses& at) {
  // How often blocks look whether the others have come to the barrier of a cooperative grid is a
  // matter of the order in which they run here, not of the program.
  if (at.of[0] - kGridWorkspace < kGridWorkspaceBytes) [[unlikely]]
    return;
  see_proof(counter, access, warp, active);
  if (access.deferral.until == Deferral::Until::now) [[likely]]
    count_global_now(counter, access, warp, active, at);
  else
    defer(counter, access, warp, active, at);
}

void count_shared_now(AccessCounter& counter, const MemoryOperand& access, const Warp& warp,
                      std::uint32_t active, const LaneOffsets& at) {
  const std::uint32_t width = access.counted_width;
  if (width == 0) return;
  if (access.one_lane) active &= 0u - active;
  for (const std::int32_t begin : access.begins) {
    LaneOffsets moved;
    const LaneOffsets* offsets = &at;
    if (width != access.width() || begin != 0) {
      const auto behind = static_cast<std::uint32_t>(begin);
      for (int i = 0; i < kLanes; ++i) moved.of[i] = (at.of[i] + behind) & ~(width - 1);
      offsets = &moved;
    }
    count_shared_request(counter, access, width, warp, active, *offsets);
  }
}

namespace {

bool are_inside(const AccessCounter& counter, std::uint32_t active, std::uint32_t width,
                const LaneAddresses& at) {
  const Allocation* memory = counter.allocation;
  if (!memory || !memory->bytes) return false;
  for (std::uint32_t left = active; left; left &= left - 1)
    if (!memory->holds(at.of[std::countr_zero(left)], width)) return false;
  return true;
}

void count_global_request(AccessCounter& counter, const MemoryOperand& access, std::uint32_t width,
                          const Warp& warp, std::uint32_t active, const LaneAddresses& at) {
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
    if (log->see(access, warp, active, width, at) && are_inside(counter, active, width, at))
      log->see_values(access, warp, [&](int lane) {
        return counter.allocation->bytes.get() + (at.of[lane] - counter.allocation->base);
      });
  keep_if_worst(counter, warp, active, width, static_cast<std::uint32_t>(counter.last.sectors), at);
}

} // namespace

void count_global_now(AccessCounter& counter, const MemoryOperand& access, const Warp& warp,
                      std::uint32_t active, const LaneAddresses& at) {
  if (access.counted_width == 0) return;
  if (access.begins.size() == 1 && access.begins[0] == 0)
    return count_global_request(counter, access, access.width(), warp, active, at);
  for (const std::int32_t begin : access.begins) {
    LaneAddresses moved;
    const auto behind = static_cast<std::uint64_t>(std::int64_t{begin});
    for (int i = 0; i < kLanes; ++i)
      moved.of[i] = (at.of[i] + behind) & ~(std::uint64_t{access.counted_width} - 1);
    count_global_request(counter, access, access.counted_width, warp, active, moved);
  }
}

void count_copy(AccessCounter& counter, const MemoryOperand& access, const Warp& warp,
                std::uint32_t active, std::uint32_t reading, const LaneAddresses& from,
                const LaneOffsets& to) {
  see_proof(counter, access, warp, active);
  model::AsyncCopy copy;
  copy.width = access.element;
  copy.around_l1 = access.around_l1;
  copy.active = active;
  copy.reading = reading;
  copy.any_count = access.any_count;
  copy.from = from.of;
  copy.to = on_hardware(warp, to).of;
  counter.sectors += static_cast<std::uint64_t>(model::copy_sectors(copy));
  add_passes(counter, access, access.element, warp, active, to, model::copy_passes(copy));
}

void count_loop(AccessCounter& counter, const MemoryOperand& access, Warp& warp,
                std::uint32_t active, const LaneOffsets& at, const model::LoopValues& values) {
  if (access.counted_width == 0) return;
  see_proof(counter, access, warp, active);
  see_others(counter, access, warp, active, at);
  if (access.one_lane) active &= 0u - active;
  const std::uint32_t width = access.width();
  model::Request request{access.kind, static_cast<int>(width), active, at.of};
  const auto& architecture = *warp.block->launch->banks;
  add_passes(counter, access, width, warp, active, at,
             architecture.rule == model::BankRule::since_5_0
                 ? model::atomic_passes(request, values)
                 : model::shared_passes(architecture, request));
}

void count_constant(AccessCounter& counter, const MemoryOperand& access, const Warp& warp,
                    std::uint32_t active, const LaneOffsets& at) {
  if (access.counted_width == 0) return;
  const int replays = model::constant_replays(active, static_cast<int>(access.width()), at.of);
  // Lanes that agree cost nothing, however the GPU reads.
  if (replays > 0) see_proof(counter, access, warp, active);
  ++counter.requests;
  counter.replays += static_cast<std::uint64_t>(replays);
  if (RequestLog* log = warp.block->launch->log) [[unlikely]]
    log->see(access, warp, active, access.width(), at);
  keep_if_worst(counter, warp, active, access.width(), static_cast<std::uint32_t>(replays), at);
}

namespace {

bool go_to_several_blocks(std::uint32_t active, const LaneOffsets& at) {
  const std::uint32_t first = at.of[std::countr_zero(active)] & kRankBits;
  for (std::uint32_t left = active; left; left &= left - 1)
    if ((at.of[std::countr_zero(left)] & kRankBits) != first) return true;
  return false;
}

} // namespace

void count_remote(AccessCounter& counter, const MemoryOperand& access, const Warp& warp,
                  std::uint32_t active, const LaneOffsets& at) {
  see_proof(counter, access, warp, active);
  const model::RemoteRequest request{static_cast<int>(access.width()), active, at.of};
  const bool atomic = access.direction == Direction::atomic;
  const int sectors =
      atomic ? model::remote_atomic_sectors(request) : model::remote_sectors(request);
  const int bytes = atomic                                ? model::remote_atomic_bytes(sectors)
                    : access.direction == Direction::load ? model::remote_load_bytes(sectors)
                                                          : 0;
  ++counter.requests;
  counter.at_least = counter.at_least || (atomic && go_to_several_blocks(active, at));
  counter.sectors += static_cast<std::uint64_t>(sectors);
  counter.bytes += static_cast<std::uint64_t>(bytes);
  if (!atomic) counter.remote_lines += static_cast<std::uint64_t>(model::remote_lines(request));
  if (RequestLog* log = warp.block->launch->log) [[unlikely]]
    log->see(access, warp, active, access.width(), at);
  keep_if_worst(counter, warp, active, access.width(), static_cast<std::uint32_t>(sectors), at);
}

void count_bulk(AccessCounter& counter, const MemoryOperand& access, const Warp& warp,
                std::uint32_t lane, std::uint64_t global, std::uint64_t bytes,
                std::uint64_t sectors) {
  LaneAddresses at;
  at.of.fill(global);
  ++counter.requests;
  counter.bytes += bytes;
  counter.sectors += sectors;
  if (RequestLog* log = warp.block->launch->log) [[unlikely]]
    log->see(access, warp, 1u << lane, 0, at, bytes);
  keep_if_worst(counter, warp, 0, 0, static_cast<std::uint32_t>(bytes), at);
}

void count_product(AccessCounter& counter, const MemoryOperand& access, const Warp& warp,
                   std::uint64_t wavefronts) {
  const LaneOffsets nowhere{};
  const std::uint64_t bytes = wavefronts * model::kPassBytes;
  ++counter.requests;
  counter.wavefronts += wavefronts;
  counter.ideal += wavefronts;
  counter.bytes += bytes;
  ++counter.ways[1];
  if (RequestLog* log = warp.block->launch->log) [[unlikely]]
    log->see(access, warp, warp.live, 0, nowhere, bytes);
  keep_if_worst(counter, warp, 0, 0, 0, nowhere);
}

model::RequestType kind_of(const MemoryOperand& access) {
  if (access.reported) return *access.reported;
  using M = model::RequestKind;
  const auto width = static_cast<int>(access.counted_width ? access.counted_width : access.width());
  const bool loads = access.direction == Direction::load;
  switch (access.space) {
  case ptx::Space::shared:
    return {loads ? M::shared_load : M::shared_store, width};
  case ptx::Space::constant:
  case ptx::Space::param: // which is constant memory too
    return {M::constant_load, width};
  default:
    return {loads ? M::global_load : M::global_store, width};
  }
}

} // namespace course::emulator
