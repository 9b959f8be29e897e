// What is wrong with a use of a barrier in memory, beyond addresses: mbarrier.hpp.
#pragma once

#include "device/emulator/state/memory_barriers.hpp"
#include "device/message.hpp"

namespace course::emulator {

// Reports a use that nothing orders behind the barrier's initialisation by another thread.
void check_made(Warp&, const MemoryOperand&, std::uint32_t lane, const BarrierPlace&,
                const Mbarrier&,
                device::MessageId does); // "arrives at {}"
// Lanes use a barrier that there is.
void note_use(Warp&, const MemoryOperand&, std::uint32_t lanes, const BarrierPlace&);
// Reports an end or another beginning of a barrier that nothing orders behind somebody's use of it.
void check_unused(Warp&, const MemoryOperand&, std::uint32_t lane, const BarrierPlace&,
                  const Mbarrier&,
                  device::MessageId does); // "invalidates {}"
// Of a use where no barrier is: says who has ended it, if somebody has.
void report_no_barrier(Warp&, const MemoryOperand&, std::uint32_t lane, const BarrierPlace&,
                       device::MessageId does);
// Reports what comes by itself and tells a barrier that the same thread has initialised, with
// nothing in between: neither a fence nor a barrier of the block or the cluster.
void check_made_known(Warp&, const MemoryOperand&, std::uint32_t lane, const BarrierPlace&,
                      const Mbarrier&);
// Reports lanes that write over a barrier in memory that is in use; and whether it is.
void check_overwritten_barriers(Warp&, const MemoryOperand&, std::uint32_t mask,
                                const LaneOffsets&);
bool in_use(const BarrierPlace&, const Mbarrier&);
// Before a phase ends: reports waits for the one before it that it does not come behind.
void check_seen(const BarrierPlace&, const Mbarrier&);
// More arrivals than the phase has left, or all of them where it must not end.
void report_arrivals(Warp&, const MemoryOperand&, std::uint32_t lane, const BarrierPlace&,
                     const Mbarrier&, std::uint32_t count, bool must_not_end);
// A phase is complete before a bulk copy has brought all its bytes.
void report_early_phase(const BarrierPlace&, const Tracked& copy);
// What orders a lane behind an access by a block of its cluster by a barrier in memory: the phase
// that tells of it and was not waited for, or else the one that was waited for last and tells
// nothing of it. No message: there is no such barrier.
device::Message missing_phase(const Warp&, std::uint32_t lane, std::uint64_t by, Record before);
// Of lanes that wait in vain, of which these point to `places`: for which phase of what, and what
// is missing.
device::Message describe_wait(const Operation&, std::uint32_t lanes, std::uint32_t valid,
                              const BarrierPlaces& places);

} // namespace course::emulator
