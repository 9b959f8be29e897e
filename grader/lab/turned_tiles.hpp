// A family of exercises: tiles that lie one behind another, each of which becomes its transpose.
//
// Its input and its output are read and written in order, whatever the tile's shape, so that
// global memory is never the lesson; what a kernel does in shared memory is.
#pragma once

#include "lab/exercise.hpp"

#include <cstdint>

namespace course::lab {

struct TileShape {
  std::uint64_t rows = 32, cols = 32; // of a tile of the input
};

// `tiles` tiles; the launcher's arguments are out, in and tiles. rows * cols is a multiple of 32.
// Every element is stored to shared memory once and loaded once, without a conflict.
Case turned_tiles(std::uint64_t tiles, TileShape);

// The same elements in the order of the transposes.
Floats turned(const Floats& in, TileShape);

// Numbers to move: floats(), and in every flavour but the exact one also both infinities and a NaN,
// where there is room for them.
Floats numbers_to_move(std::uint64_t count, Flavour, std::uint64_t seed);

// What it takes to go through `elements` floats in order, 32 a request.
judge::GlobalBound in_order(std::uint64_t elements);

} // namespace course::lab
