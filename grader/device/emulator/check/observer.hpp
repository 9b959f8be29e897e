// Observer: a check of a block that only watches.
//
// It is told of the events below, keeps what it needs, and says what it finds by Checker::report.
// Each file in check/observers is one: `ObserverOf watch_NAME(const Launch&)`, defined in NAME.cpp,
// makes one for a worker's blocks, or none where the launch has nothing for it. Nobody else names
// it but the list in CMakeLists.txt. A launch without checks makes none, and a block that has none
// is not slower.
//
// What needs every access of every launch, or decides what other checks say, is not an observer but
// a member of Checker: shadow, order, values.
#pragma once

#include "device/emulator/decode/memory_operand.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace course::emulator {

struct Allocation;
struct Block;
struct Launch;
struct Warp;

class Observer {
public:
  virtual ~Observer() = default;
  virtual void begin_block(const Block&) {}
  // In bounds and aligned, by the lanes in `mask`, before memory is read or changed; whichever
  // instruction makes it.
  virtual void shared_access(Warp&, const MemoryOperand&, std::uint32_t /*mask*/,
                             const LaneOffsets&) {}
  virtual void global_access(Warp&, const MemoryOperand&, std::uint32_t /*mask*/, const Allocation&,
                             const LaneAddresses&) {}
  virtual void warp_barrier(Warp&, std::uint32_t /*lanes*/) {} // lanes that have met
  virtual void block_barrier(Block&) {}                        // all of a block have
  virtual void end_block(Block&) {}                            // by itself: nothing has stopped it
};

// Shared, so that Block can be declared without it.
using ObserverOf = std::shared_ptr<Observer>;
using Observers = std::vector<ObserverOf>;

// Of one worker's blocks.
Observers observers_of(const Launch&);

} // namespace course::emulator
