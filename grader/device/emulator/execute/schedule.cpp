#include "device/emulator/execute/schedule.hpp"

#include "device/splitmix64.hpp"

#include <numeric>

namespace course::emulator {

Schedule::Schedule(const device::Order& order, std::uint64_t count) : count_(count) {
  if (count < 2) return;
  if (order.kind == device::Order::Kind::backwards) {
    step_ = first_ = count - 1;
  } else if (order.kind == device::Order::Kind::drawn) {
    first_ = device::splitmix64(order.seed + device::kSplitmixStep) % count;
    step_ = device::splitmix64(order.seed + 2 * device::kSplitmixStep) % count;
    while (std::gcd(step_, count) != 1) step_ = (step_ + 1) % count;
  }
}

} // namespace course::emulator
