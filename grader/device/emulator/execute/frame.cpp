// What warps and frames hold before they run.
#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/footprint.hpp"
#include "device/emulator/check/undefined.hpp"
#include "device/emulator/check/way_trace.hpp"
#include "device/emulator/count/access_counter.hpp"
#include "device/emulator/execute/interpreter.hpp"
#include "device/emulator/execute/schedule.hpp"
#include "device/emulator/state/lanes.hpp"
#include "device/splitmix64.hpp"

#include <algorithm>

namespace course::emulator {
namespace {

template <typename T>
void broadcast(std::byte* frame, Slot slot, T value) {
  std::fill_n(lanes_at<T>(frame, slot), kLanes, value);
}
void broadcast(std::byte* frame, Slot slot, std::uint64_t value, std::uint32_t bytes) {
  switch (bytes) {
  case 1:
    return broadcast(frame, slot, static_cast<u8>(value));
  case 2:
    return broadcast(frame, slot, static_cast<u16>(value));
  case 4:
    return broadcast(frame, slot, static_cast<u32>(value));
  default:
    return broadcast(frame, slot, value);
  }
}

bool depends_on_block(SpecialRegister which) {
  using S = SpecialRegister;
  return which == S::ctaid_x || which == S::ctaid_y || which == S::ctaid_z || which == S::smid ||
         (which >= S::clusterid_x && which <= S::cluster_ctarank);
}

// Clusters divide the grid into boxes.
std::uint64_t special_of_cluster(SpecialRegister which, const Block& block, const Launch& launch) {
  using S = SpecialRegister;
  const device::Dim3 &cluster = launch.cluster, &at = block.index, &grid = launch.grid;
  switch (which) {
  case S::clusterid_x:
    return at.x / cluster.x;
  case S::clusterid_y:
    return at.y / cluster.y;
  case S::clusterid_z:
    return at.z / cluster.z;
  case S::nclusterid_x:
    return grid.x / cluster.x;
  case S::nclusterid_y:
    return grid.y / cluster.y;
  case S::nclusterid_z:
    return grid.z / cluster.z;
  case S::cluster_ctaid_x:
    return at.x % cluster.x;
  case S::cluster_ctaid_y:
    return at.y % cluster.y;
  case S::cluster_ctaid_z:
    return at.z % cluster.z;
  case S::cluster_nctaid_x:
    return cluster.x;
  case S::cluster_nctaid_y:
    return cluster.y;
  case S::cluster_nctaid_z:
    return cluster.z;
  case S::cluster_ctarank:
    return block.rank;
  case S::cluster_nctarank:
    return cluster.count();
  default: // is_explicit_cluster
    return launch.explicit_cluster ? 1 : 0;
  }
}

std::uint64_t special(SpecialRegister which, const Block& block, const Launch& launch,
                      const Warp& warp, std::uint32_t lane) {
  switch (which) {
  case SpecialRegister::tid_x:
    return (warp.index * kLanes + lane) % launch.block.x;
  case SpecialRegister::tid_y:
    return block.thread(warp, lane).y;
  case SpecialRegister::tid_z:
    return block.thread(warp, lane).z;
  case SpecialRegister::ntid_x:
    return launch.block.x;
  case SpecialRegister::ntid_y:
    return launch.block.y;
  case SpecialRegister::ntid_z:
    return launch.block.z;
  case SpecialRegister::ctaid_x:
    return block.index.x;
  case SpecialRegister::ctaid_y:
    return block.index.y;
  case SpecialRegister::ctaid_z:
    return block.index.z;
  case SpecialRegister::nctaid_x:
    return launch.grid.x;
  case SpecialRegister::nctaid_y:
    return launch.grid.y;
  case SpecialRegister::nctaid_z:
    return launch.grid.z;
  case SpecialRegister::laneid:
    return lane;
  case SpecialRegister::warpid: // at liberty some other place on the multiprocessor
    return (warp.index + (launch.liberties ? 1 + launch.order.seed % 63 : 0)) % 64;
  case SpecialRegister::nwarpid:
    return 64;
  case SpecialRegister::smid: // up to the hardware
    return (block.linear + (launch.liberties ? 1 + launch.order.seed % 63 : 0)) %
           launch.gpu->multiprocessors;
  case SpecialRegister::nsmid:
    return launch.gpu->multiprocessors;
  case SpecialRegister::gridid:
    return launch.number + 1;
  case SpecialRegister::lanemask_eq:
    return 1u << lane;
  case SpecialRegister::lanemask_le:
    return kAllLanes >> (31 - lane);
  case SpecialRegister::lanemask_lt:
    return (1u << lane) - 1;
  case SpecialRegister::lanemask_ge:
    return kAllLanes << lane;
  case SpecialRegister::lanemask_gt:
    return lane == 31 ? 0 : kAllLanes << (lane + 1);
  case SpecialRegister::dynamic_smem_size:
    return launch.dynamic_shared;
  case SpecialRegister::total_smem_size:
    return launch.shared.bytes();
  case SpecialRegister::grid_workspace_high:
    return launch.grid_workspace >> 32;
  case SpecialRegister::grid_workspace_low:
    return launch.grid_workspace & 0xffffffff;
  case SpecialRegister::zero:
    return 0;
  default:
    return special_of_cluster(which, block, launch);
  }
}

bool depends_on_lane(SpecialRegister which) {
  using S = SpecialRegister;
  return which == S::laneid || (which >= S::tid_x && which <= S::tid_z) ||
         (which >= S::lanemask_eq && which <= S::lanemask_gt);
}

void fill_special(const FrameSpecial& use, std::byte* frame, const Block& block,
                  const Launch& launch, const Warp& warp) {
  if (!depends_on_lane(use.which))
    return broadcast(frame, use.slot, special(use.which, block, launch, warp, 0), use.bytes);
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const std::uint64_t value = special(use.which, block, launch, warp, lane);
    if (use.bytes == 8)
      lanes_at<u64>(frame, use.slot)[lane] = value;
    else if (use.bytes == 2)
      lanes_at<u16>(frame, use.slot)[lane] = static_cast<u16>(value);
    else
      lanes_at<u32>(frame, use.slot)[lane] = static_cast<u32>(value);
  }
}

// What registers hold that nothing has written: zero the first time, anything in other orders. Of
// any type it is a number that shows in sums, and as a predicate some lanes have it.
void fill_unwritten(const Code& code, std::byte* frame, const device::Order& order) {
  using Kind = device::Order::Kind;
  const bool anything = order.kind == Kind::backwards || order.kind == Kind::at_liberty;
  for (const Code::Cleared& cleared : code.cleared) {
    int byte = 0;
    if (anything) {
      const std::uint64_t drawn = device::splitmix64(order.seed + cleared.slot);
      byte = (drawn % 2 ? 0x80 : 0) | (0x41 + static_cast<int>(drawn / 2 % 8));
    }
    std::memset(frame + cleared.slot, byte, cleared.bytes);
  }
}

} // namespace

Interpreter::Interpreter(Block& block, const Launch& launch) : block_(block), launch_(launch) {
  block_.launch = &launch;
  block_.checks = launch.checks;
  if (launch.entry->may_wait || launch.clustered) slice_ = kShortSlice;
  block_.shared.prepare(launch.shared);
  block_.checker->shadow.resize(static_cast<u32>(launch.shared.guarded_bytes()),
                                launch.entry->shared_granule);
  block_.counters->clear();
  block_.executed.clear();
  block_.counters->resize(launch.program->sites().size());
  block_.checker->findings.clear();
  block_.totals = {};
  block_.attempted_by.clear();
  block_.warps.resize(launch.warps());
  block_.checker->undefined.reset();
  block_.checker->observers = launch.checks ? observers_of(launch) : Observers{};
  watched_ = launch.ways || launch.liberties || launch.chooser;
  const bool backwards = launch.order.kind == device::Order::Kind::backwards;
  const Schedule schedule(backwards ? launch.order : device::Order{}, launch.warps());
  for (std::uint32_t i = 0; i < launch.warps(); ++i)
    warps_.push_back(static_cast<std::uint32_t>(schedule.at(i)));
  for (std::uint32_t i = 0; i < block_.warps.size(); ++i) {
    block_.warps[i].index = i;
    prepare_warp(block_.warps[i]);
  }
}

std::byte* Interpreter::frame_of(Warp& warp, std::uint32_t activation) {
  return warp.registers[warp.activations[activation].frame].bytes;
}

void Interpreter::prepare_warp(Warp& warp) {
  const Code& entry = *launch_.entry;
  warp.block = &block_;
  const std::uint32_t threads = launch_.threads() - warp.index * kLanes;
  warp.lanes = threads >= kLanes ? kAllLanes : (1u << threads) - 1;
  warp.registers.resize(std::max<std::size_t>(warp.registers.size(), entry.frame_bytes / 64 + 1));
  warp.local.assign(std::size_t{entry.local_bytes} * kLanes, std::byte{});
  warp.local_written.assign(warp.local.size(), 0);
  fill_frame(entry, warp.registers[0].bytes, warp, 0);
}

// Everything but what depends on the block.
void Interpreter::fill_frame(const Code& code, std::byte* frame, const Warp& warp,
                             std::uint32_t local_begin) const {
  for (const FrameConstant& constant : code.constants)
    broadcast(frame, constant.slot,
              constant.value + (constant.local_address    ? local_begin
                                : constant.shared_address ? block_.rank_bits
                                                          : 0),
              constant.bytes);
  for (const FrameSpecial& use : code.specials)
    if (!depends_on_block(use.which) || code.function != launch_.entry->function)
      fill_special(use, frame, block_, launch_, warp);
  for (const FrameParameter& parameter : code.parameters) {
    std::uint64_t value = 0;
    if (parameter.offset + parameter.bytes <= launch_.arguments->size())
      std::memcpy(&value, launch_.arguments->data() + parameter.offset, parameter.bytes);
    broadcast(frame, parameter.slot, value, parameter.bytes);
  }
  fill_unwritten(code, frame, launch_.order);
}

void Interpreter::fill_block_index(Warp& warp) {
  std::byte* frame = warp.registers[0].bytes;
  for (const FrameSpecial& use : launch_.entry->specials)
    if (depends_on_block(use.which)) // the same for all lanes
      broadcast(frame, use.slot, special(use.which, block_, launch_, warp, 0), use.bytes);
  fill_unwritten(*launch_.entry, frame, launch_.order);
}

void Interpreter::begin_block(std::uint64_t linear) {
  std::fill(block_.attempted_by.begin(), block_.attempted_by.end(), std::uint8_t{0});
  block_.linear = linear;
  block_.index = launch_.grid.index_of(linear);
  block_.barriers = {};
  block_.live = launch_.threads();
  block_.block_instructions = block_.told = 0;
  block_.looks.clear();
  block_.ended = false;
  block_.landing.clear();
  block_.memory_barriers.clear();
  block_.bulk_reads.clear();
  if (block_.products.used()) block_.products.clear();
  block_.registers = {};
  round_ = 0;
  idle_ = 0;
  block_.first_owner = linear * launch_.threads() % kOwners;
  for (Warp& warp : block_.warps) {
    warp.live = warp.lanes;
    warp.watched = watched_;
    warp.owned = launch_.entry->registers_held();
    warp.joins.clear();
    warp.copies.clear();
    if (launch_.clustered) warp.cluster_arrivals.fill(0);
    warp.deferred.clear(launch_.entry->loops.size());
    warp.activations.assign(1, {launch_.entry, kNone, 0, warp.lanes, 0, 0});
    Split start;
    start.lanes = warp.lanes;
    warp.splits.assign(1, start);
    fill_block_index(warp);
    std::fill(warp.local_written.begin(), warp.local_written.end(), std::uint8_t{0});
  }
  if (launch_.ways) launch_.ways->begin_block(block_);
  if (const auto reserved = launch_.shared.reserved_bytes()) [[unlikely]]
    std::fill_n(block_.shared.bytes(), reserved, std::byte{});
  block_.checker->begin_block(launch_.clustered || launch_.keeps_places() ||
                              launch_.entry->has_memory_barriers);
  for (Warp& warp : block_.warps) follow_unwritten(warp, *launch_.entry, 0, warp.lanes);
}

// In a drawn order: what depends on it is up to chance.
void Interpreter::follow_unwritten(Warp& warp, const Code& code, std::uint32_t frame, u32 lanes) {
  if (code.cleared.empty() || !launch_.liberties || !block_.checks) return;
  block_.checker->undefined_values().begin_function(
      warp, code, static_cast<u32>(frame * sizeof(Warp::Line)), lanes);
}

} // namespace course::emulator
