// Splits that wait for a phase of a barrier in memory: mbarrier.try_wait, which may suspend them.
//
// They go on when the phase is complete. On a GPU they also do after some time, with false: here,
// when nothing else can run. If all come back and wait again, and nothing has happened meanwhile,
// the phase will never be complete.
#pragma once

namespace course::emulator {

struct Block;

// A phase of one of the block's barriers is complete: marks whoever waited for it.
void wake_parked(Block&);

} // namespace course::emulator
