// What moves values between registers, and the little that is found of them without arithmetic.
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/windows.hpp"
#include "device/emulator/execute/lane_loops.hpp"
#include "device/emulator/state/block.hpp"

#include <algorithm>
#include <bit>

namespace course::emulator {
namespace {

template <typename Part>
void pack_lanes(Warp& warp, const Operation& op, u32 mask) {
  const std::size_t parts = std::min<std::size_t>(op.immediate, 16 / sizeof(Part));
  const std::size_t bytes = parts * sizeof(Part);
  for (u32 left = mask; left; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    std::byte* whole = warp.frame + op.slot[kWholeSlot] + lane * bytes;
    std::byte packed[16];
    for (std::size_t p = 0; p < parts; ++p)
      std::memcpy(packed + p * sizeof(Part), warp.frame + op.slot[p] + lane * sizeof(Part),
                  sizeof(Part));
    std::memcpy(whole, packed, bytes);
  }
}
template <typename Part>
void unpack_lanes(Warp& warp, const Operation& op, u32 mask) {
  const std::size_t parts = std::min<std::size_t>(op.immediate, 16 / sizeof(Part));
  const std::size_t bytes = parts * sizeof(Part);
  for (u32 left = mask; left; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    std::byte whole[16];
    std::memcpy(whole, warp.frame + op.slot[kWholeSlot] + lane * bytes, bytes);
    for (std::size_t p = 0; p < parts; ++p)
      std::memcpy(warp.frame + op.slot[p] + lane * sizeof(Part), whole + p * sizeof(Part),
                  sizeof(Part));
  }
}

template <std::uint64_t kWindow>
struct InWindow {
  static bool apply(u64 address) { return in_window(address, kWindow); }
};
struct InGlobal {
  static bool apply(u64 address) {
    return !in_window(address, kSharedWindow) && !in_window(address, kLocalWindow) &&
           !in_window(address, kConstantWindow) && !in_window(address, kParameterWindow);
  }
};

} // namespace

Execute packer(std::uint32_t part) {
  return part == 1   ? pack_lanes<u8>
         : part == 2 ? pack_lanes<u16>
         : part == 4 ? pack_lanes<u32>
                     : pack_lanes<u64>;
}
Execute unpacker(std::uint32_t part) {
  return part == 1   ? unpack_lanes<u8>
         : part == 2 ? unpack_lanes<u16>
         : part == 4 ? unpack_lanes<u32>
                     : unpack_lanes<u64>;
}

void move_128(Warp& warp, const Operation& op, u32 mask) {
  for (u32 left = mask; left; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    std::memmove(warp.frame + op.slot[0] + lane * 16, warp.frame + op.slot[1] + lane * 16, 16);
  }
}

// The clock counts executed warp-instructions of the block.
void read_clock_32(Warp& warp, const Operation& op, u32 mask) {
  u32* to = lanes_at<u32>(warp.frame, op.slot[0]);
  const auto now = static_cast<u32>(warp.block->block_instructions >> op.immediate);
  for (int i = 0; i < kLanes; ++i) to[i] = mask & kLaneBit[i] ? now : to[i];
}
void read_clock_64(Warp& warp, const Operation& op, u32 mask) {
  u64* to = lanes_at<u64>(warp.frame, op.slot[0]);
  const u64 now = warp.block->block_instructions;
  for (int i = 0; i < kLanes; ++i) to[i] = mask & kLaneBit[i] ? now : to[i];
}

void make_policy(Warp& warp, const Operation& op, u32 mask) {
  u64* to = lanes_at<u64>(warp.frame, op.slot[0]);
  for (int i = 0; i < kLanes; ++i) to[i] = mask & kLaneBit[i] ? 0 : to[i];
}

Execute window_test(std::uint64_t window) {
  const Versions versions =
      window == kSharedWindow     ? lanes<InWindow<kSharedWindow>, Predicate(u64)>()
      : window == kLocalWindow    ? lanes<InWindow<kLocalWindow>, Predicate(u64)>()
      : window == kConstantWindow ? lanes<InWindow<kConstantWindow>, Predicate(u64)>()
                                  : lanes<InGlobal, Predicate(u64)>();
  return versions.best();
}

} // namespace course::emulator
