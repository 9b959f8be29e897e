// What it takes to move a matrix in pieces of its rows: the sectors that requests touch.
#pragma once

#include "judge/execution.hpp"

#include <cstdint>

namespace course::lab {

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b); // b > 0

// A row-major matrix of floats that begins at a sector, each row moved in pieces of up to `width`
// floats that start at multiples of `width` in it. One request a piece, and the sectors that the
// pieces touch: a piece that starts inside a sector may touch one more.
judge::GlobalBound in_pieces(std::uint64_t rows, std::uint64_t cols, std::uint64_t width);

// A tenth more, rounded up: solutions cut at other places touch a few sectors more.
std::uint64_t with_room(std::uint64_t limit);

} // namespace course::lab
