// Orders in which a grading executes a shape again, when all are right in the device's own.
#pragma once

#include "device/device.hpp"

#include <cstdint>
#include <vector>

namespace course::lab {

struct OtherOrder {
  device::Order order;
  std::uint32_t drawn = 0; // its number, from 1, where the standard leaves it open; 0: backwards
};

// The last block and the last warp first: nobody promises that the first ones are. Then, where
// threads can tell who was first (device::Observation::order_matters), orders that the standard
// leaves open, drawn from the grading's seed.
std::vector<OtherOrder> other_orders(bool order_matters, std::uint64_t seed);

} // namespace course::lab
