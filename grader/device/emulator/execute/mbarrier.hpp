// Barriers in memory (mbarrier): objects of 8 bytes in shared memory that count arrivals and bytes,
// phase by phase.
//
// What an object holds is kept beside its bytes, which are opaque (on an H200 an ordinary load of
// one gives 0). A wait parks its lanes until the phase is complete (phase_wait.cpp). What comes by
// itself (a bulk copy, cp.async that a barrier tracks) comes when somebody looks at the barrier, or
// when nothing else can go on (at liberty not always at the first look: liberties.hpp): whoever
// does not wait finds it still under way.
//
// Who waits for a phase has behind it all that was before the arrivals of that phase. A wait that
// the next phase does not come behind is reported: two phases on, a parity looks as it did before,
// and a wait that was late would go on for ever.
#pragma once

#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/memory_operand.hpp"
#include "device/emulator/state/memory_barriers.hpp"
#include "device/message.hpp"

#include <cstdint>

namespace course::emulator {

// Of a test or wait by lanes of the warp's frame: those whose phase is complete, or that cannot
// wait as there is no barrier; before or after what is under way for these barriers has come.
std::uint32_t lanes_past(Warp&, const Operation&, std::uint32_t mask);
std::uint32_t lanes_through(Warp&, const Operation&, std::uint32_t mask);
// At liberty: whether a wait that cannot go on says so, and is not suspended. It always does at
// first, and then the warp goes on at once: what it does next does not find what it should have
// waited for.
enum class Vain { suspended, in_turn, at_once };
Vain says_so(Warp&, const Operation&, std::uint32_t mask);
// Lanes go on behind a complete phase.
void see_phase(Warp&, const Operation&, std::uint32_t lanes);

// Where lanes point, in any block; returns those that may go on. `what` is for the report of the
// others: "arrives at".
std::uint32_t barrier_places(Warp&, const MemoryOperand&, std::uint32_t mask, BarrierPlaces&);
// The barrier there, initialised, and that in an order with what the lane does now. nullptr: it is
// not, which is reported.
Mbarrier* barrier_for(Warp&, const MemoryOperand&, std::uint32_t lane, const BarrierPlace&,
                      device::MessageId does);

// All that is under way, for the barrier or for any, comes. Returns whether there was something.
bool let_come(Block&, std::uint32_t barrier);
bool let_all_come(Block&);
// What somebody chose.
void let_one_come(Block&, std::uint32_t agent);

} // namespace course::emulator
