// What findings are made of.
#pragma once

#include "device/emulator/decode/memory_operand.hpp"
#include "device/message_id.hpp"

namespace course::emulator {

using device::Count;
using device::Message;
using Says = device::MessageId;

inline device::LaneAccess what(const MemoryOperand& access) {
  using Does = device::LaneAccess::Does;
  const Does does = access.direction == Direction::load    ? Does::load
                    : access.direction == Direction::store ? Does::store
                                                           : Does::atomic;
  return {does, access.width()};
}

// "reads s[1]"
inline Message does(const MemoryOperand& access, Message place) {
  const Says verb = access.direction == Direction::load    ? Says::reads
                    : access.direction == Direction::store ? Says::writes
                                                           : Says::updates;
  return Message(verb, std::move(place));
}

inline Message unwritten(Message reads) {
  return Message(Says::unwritten, std::move(reads));
}

// "s[1] of block (1,0,0) of its cluster"
template <typename Owner>
Message of_cluster(Message place, const Owner& block) {
  return Message(Says::of_cluster, std::move(place), block.index);
}

// What would order two accesses of one block, of the same warp or not, by what is missing.
inline Message no_barrier_between(bool one_warp) {
  return Message(one_warp ? Says::no_warp_barrier : Says::no_barrier);
}

} // namespace course::emulator
