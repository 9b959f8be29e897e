// Orders in which a grading executes a shape again, when all are right in the device's own.
#pragma once

#include "device/device.hpp"

#include <cstdint>

namespace course::lab {

struct OtherOrder {
  device::Order order;
  std::uint32_t drawn = 0; // its number, from 1, where the standard leaves it open; 0: backwards
};

// The last block and the last warp first: nobody promises that the first ones are.
OtherOrder last_first();

// Where threads can tell who was first (device::Observation::order_matters), orders that the
// standard leaves open, drawn from the grading's seed. `number`: from 1.
OtherOrder drawn_order(std::uint64_t seed, std::uint32_t number);

// Whether one more is executed: a few always are, and more as long as all of them together are
// little beside the grading. `spent`, `graded`: warp-instructions, of drawn orders and of the rest.
bool draws_another(std::uint32_t drawn, std::uint64_t spent, std::uint64_t graded);

} // namespace course::lab
