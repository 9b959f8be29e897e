// The ways that exercises ask for (judge::WayBound).
#pragma once

#include "judge/execution.hpp"
#include "lab/placement.hpp"

namespace course::lab {

namespace way = device::way;

// Handed from thread to thread by shared memory, and by nothing else; who fills it is open.
inline judge::WayBound through_tile() {
  return {way::stored | way::copied, {way::stored | way::copied}, 0};
}

// The same for results that are made of what threads load for themselves as well.
inline judge::WayBound partly_through_tile(std::uint64_t stay = 0) {
  return {way::stored | way::copied | way::direct, {way::stored | way::copied}, stay};
}

// However lanes add up, a block's sums meet in shared memory.
inline judge::WayBound meeting_in_tile() {
  constexpr device::Way kAny = 0x7f;
  return {kAny, {way::stored | way::copied}, 1};
}

// How the output of a case that is followed came, when the job is executed once more for that. A
// follower that is missing has seen no elements.
judge::WayTaken followed(const Case&, const Placement&, const device::Job&, device::Follower*);

} // namespace course::lab
