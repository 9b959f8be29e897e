// The kernels that timing itself launches on the device, in PTX.
#pragma once

namespace course::gpu {

// flush(buffer, bytes): reads the buffer, in a grid-stride loop, so that L2 holds it and nothing
// else. Where a flush writes instead, L2 is left full of lines that the timed kernel must wait to
// be written back: a transpose of 4096 x 4096 took 76 us on an H200 after one.
//
// vary(to, from, words, seed): one thread a stratum; writes the words that variation.hpp moves, of
// `from`, into `to`, which is a copy of it.
//
// compare(one, right, words, floats, absolute, relative, result): counts the words that differ, in
// a grid-stride loop. `floats` 0: bits differ. 1: as numbers, by more than
// absolute + relative * |right|; what is not a number differs from all. `result`: 64 bits for the
// count, which starts at 0, and 64 for the first index, which starts at the largest number.
extern const char* const kTimedKernels;

} // namespace course::gpu
