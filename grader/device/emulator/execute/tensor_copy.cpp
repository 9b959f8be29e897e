#include "device/emulator/check/saying.hpp"
#include "device/emulator/check/way_trace.hpp"
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/execute/bulk_transfer.hpp"
#include "device/emulator/execute/lane_access.hpp"
#include "device/emulator/execute/remote_memory.hpp"
#include "device/model/tensor_map.hpp"

#include <algorithm>

namespace course::emulator {
namespace {

using device::FindingKind;
using model::TensorMap;

// The bytes that an address leads to, of a parameter, a constant or a variable.
const std::byte* bytes_at(const Launch& launch, u64 address, std::size_t size) {
  const auto within = [&](const device::Bytes& bytes, u64 window) -> const std::byte* {
    const u64 offset = address - window;
    return size <= bytes.size() && offset <= bytes.size() - size ? bytes.data() + offset : nullptr;
  };
  if (in_window(address, kParameterWindow)) return within(*launch.arguments, kParameterWindow);
  if (in_window(address, kConstantWindow)) return within(*launch.constants, kConstantWindow);
  const Allocation* memory = launch.memory->find(address);
  if (!memory || memory->freed || !memory->holds(address, size)) return nullptr;
  launch.memory->set_read_unseen();
  return memory->bytes.get() + (address - memory->base);
}

// One lane's box.
struct Box {
  Warp& warp;
  const MemoryOperand& access;
  u32 lane;
  TensorMap map;
  std::array<s64, model::kMostDimensions> first{}; // coordinates

  // Of a row of the box: where its first element is in global memory, and how many elements before
  // and behind are outside of the tensor; all of them where another coordinate is.
  struct Row {
    u64 address = 0;
    u32 before = 0, inside = 0; // bytes
  };
  Row row(u32 number) const {
    Row made;
    made.address = map.address;
    for (std::size_t d = 1; d < map.rank; ++d) {
      const s64 at = first[d] + number % map.box[d];
      number /= map.box[d];
      if (at < 0 || static_cast<u64>(at) >= map.size[d]) return made;
      made.address += static_cast<u64>(at) * map.stride[d];
    }
    const s64 end = std::min<s64>(first[0] + map.box[0], static_cast<s64>(map.size[0]));
    const s64 begin = std::max<s64>(first[0], 0);
    if (begin >= end) return made;
    made.before = static_cast<u32>(begin - first[0]) * map.element;
    made.inside = static_cast<u32>(end - begin) * map.element;
    made.address += static_cast<u64>(begin) * map.element;
    return made;
  }
  // Where each chunk of the box is in shared memory.
  std::vector<u32> chunks(u32 to) const {
    std::vector<u32> made;
    for (u32 r = 0; r < map.rows(); ++r)
      for (u32 byte = 0; byte < map.row_bytes(); byte += kBulkChunk)
        made.push_back(model::swizzled(to + r * map.span() + byte, map.swizzle));
    return made;
  }
};

// Where a tile begins whose pattern begins with its first row, too.
u32 alignment_for(model::Swizzle swizzle) {
  constexpr u32 kRowsOfPattern = 8;
  return std::max<u32>(model::kTensorAlignment, kRowsOfPattern * model::swizzle_span(swizzle));
}

// Reads the map and the coordinates, and holds them to the rules. Nothing: the kernel has ended.
std::optional<Box> box_of(Warp& warp, const Operation& op, u32 lane, u64 map_at, u32 shared) {
  Block& block = *warp.block;
  const MemoryOperand& access = *op.access;
  const auto fail = [&](FindingKind kind, Message message) {
    block.checker->fail(kind, block.launch->program->sites()[access.id].source, warp, lane,
                        std::move(message));
    return std::nullopt;
  };
  const std::byte* bytes = bytes_at(*block.launch, map_at, model::kTensorMapBytes);
  if (!bytes) return fail(FindingKind::out_of_bounds, Message(Says::map_not_in_memory));
  model::TensorMapBytes kept;
  std::memcpy(kept.data(), bytes, kept.size());
  const auto map = model::decoded(kept);
  if (!map) return fail(FindingKind::bulk_copy, Message(Says::no_tensor_map));
  if (map->rank != op.immediate)
    return fail(FindingKind::bulk_copy, Message(Says::other_dimensions, op.immediate, map->rank));
  Box box{warp, access, lane, *map};
  for (std::size_t d = 0; d < map->rank; ++d)
    box.first[d] = lanes_at<const s32>(warp.frame, access.value[d])[lane];
  if (box.first[0] * map->element % 16 != 0)
    return fail(FindingKind::bulk_copy, Message(Says::odd_coordinate, box.first[0], map->element));
  if (shared % model::kTensorAlignment != 0)
    return fail(FindingKind::misaligned,
                Message(Says::box_misaligned, block.shared.layout().describe(shared, 1),
                        alignment_for(map->swizzle)));
  return box;
}

void count_box(const Box& box) {
  const MemoryOperand& global = *box.access.global;
  u64 bytes = 0, sectors = 0; // inside of the tensor
  for (u32 r = 0; r < box.map.rows(); ++r) {
    const Box::Row row = box.row(r);
    bytes += row.inside;
    sectors += sectors_of(row.address, row.inside);
  }
  count_bulk(counter_of(*box.warp.block, global.id), global, box.warp, box.lane, box.map.address,
             bytes, sectors);
}

// The box as it is in the tensor, and what is outside filled.
std::vector<std::byte> fetch_box(const Box& box, u64 read) {
  constexpr std::byte kNan[] = {std::byte{0xf7}, std::byte{0x7f}}; // of every type, two by two
  std::vector<std::byte> bytes(box.map.bytes());
  if (box.map.fills_with_nan)
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = kNan[i % 2];
  for (u32 r = 0; r < box.map.rows(); ++r) {
    const Box::Row row = box.row(r);
    if (!row.inside) continue;
    const auto part =
        fetch_global(box.warp, *box.access.global, box.lane, row.address, row.inside, read);
    std::copy(part.begin(), part.end(), bytes.begin() + r * box.map.row_bytes() + row.before);
  }
  if (box.map.rounds_to_tf32) {
    for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
      u32 bits = 0;
      std::memcpy(&bits, bytes.data() + i, 4);
      bits = model::rounded_to_tf32(bits);
      std::memcpy(bytes.data() + i, &bits, 4);
    }
  }
  return bytes;
}

// For the way of the data: f(place in shared memory, address, bytes) for what is inside.
template <typename F>
void for_parts(const Box& box, const std::vector<u32>& chunks, F&& f) {
  const u32 in_row = box.map.row_bytes() / kBulkChunk;
  for (u32 r = 0; r < box.map.rows(); ++r) {
    const Box::Row row = box.row(r);
    for (u32 byte = row.before; byte < row.before + row.inside; ++byte)
      f(chunks[r * in_row + byte / kBulkChunk] + byte % kBulkChunk, row.address + byte - row.before,
        1);
  }
}

} // namespace

void tensor_copy_in(Warp& warp, const Operation& op, u32 mask) {
  Block& block = *warp.block;
  const MemoryOperand& access = *op.access;
  LaneOffsets to;
  LaneAddresses maps;
  point_in_cluster(warp, access, to);
  point(warp, *access.global, maps);
  const u16* to_ranks = op.slot[2] ? lanes_at<const u16>(warp.frame, op.slot[2]) : nullptr;
  BarrierPlaces places;
  mask = barrier_places(warp, *access.barrier, mask, places);
  for (u32 left = mask; left && !block.ended; left &= left - 1) {
    const u32 lane = lowest(left), offset = to.of[lane] & ~kRankBits;
    const auto box = box_of(warp, op, lane, maps.of[lane], offset);
    if (!box) return;
    if (block.checks) block.checker->shadow.next_step(warp);
    count_box(*box);
    const u64 read = begin_read(warp, *access.global, lane);
    const std::vector<std::byte> bytes = fetch_box(*box, read);
    const std::vector<u32> chunks = box->chunks(offset);
    const auto send_to = [&](Block* target) {
      if (!target) return;
      if (block.launch->entry->has_products) target->products.note_tile(chunks, box->map.swizzle);
      if (WayTrace* ways = block.launch->ways)
        for_parts(*box, chunks, [&](u32 there, u64 address, u32 size) {
          ways->bulk_copy_in(warp, *target, there, address, size, true);
        });
      send({warp, access, lane, {target, places[lane].offset}, offset, chunks, read}, bytes);
    };
    if (!to_ranks) {
      Block* target = block_at(warp, access, lane, to.of[lane], kBulkChunk);
      if (target && target != places[lane].block)
        block.checker->report(FindingKind::bulk_copy, access.id, kNone, warp, lane, [&] {
          return Message(Says::copies_to_other_block, target->index, places[lane].block->index);
        });
      send_to(places[lane].block);
    }
    for (u32 ranks = to_ranks ? to_ranks[lane] : 0; ranks; ranks &= ranks - 1)
      send_to(block_at(warp, access, lane, lowest(ranks) << kRankShift | offset, kBulkChunk));
    if (block.checks) block.checker->shadow.next_step(warp);
  }
}

void tensor_copy_out(Warp& warp, const Operation& op, u32 mask) {
  Block& block = *warp.block;
  const MemoryOperand& access = *op.access;
  LaneOffsets from;
  LaneAddresses maps;
  point(warp, access, from);
  point(warp, *access.global, maps);
  for (u32 left = mask; left && !block.ended; left &= left - 1) {
    const u32 lane = lowest(left), offset = from.of[lane] & ~kRankBits;
    const auto box = box_of(warp, op, lane, maps.of[lane], offset);
    if (!box) return;
    if (block.checks) block.checker->shadow.next_step(warp);
    count_box(*box);
    std::vector<std::byte> bytes;
    const std::vector<u32> chunks = box->chunks(offset);
    if (WayTrace* ways = block.launch->ways)
      for_parts(*box, chunks, [&](u32 there, u64 address, u32 size) {
        ways->bulk_copy_out(address, block, there, size);
      });
    for (const u32 chunk : chunks) {
      const auto part = fetch_shared(warp, access, lane, chunk, kBulkChunk);
      bytes.insert(bytes.end(), part.begin(), part.end());
    }
    for (u32 r = 0; r < box->map.rows(); ++r) {
      const Box::Row row = box->row(r);
      if (row.inside)
        store_global(warp, *access.global, lane, row.address,
                     bytes.data() + r * box->map.row_bytes() + row.before, row.inside);
    }
    block.bulk_reads.in_flight.push_back({&warp, lane,
                                          block.bulk_reads.committed[warp.index * kLanes + lane],
                                          &access, offset, box->map.rows() * box->map.span()});
    ++block.landing.copies;
  }
}

} // namespace course::emulator
