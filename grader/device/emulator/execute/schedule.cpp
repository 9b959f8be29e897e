#include "device/emulator/execute/schedule.hpp"

#include "device/splitmix64.hpp"

#include <algorithm>
#include <numeric>

namespace course::emulator {

Schedule::Schedule(const device::Order& order, std::uint64_t count) : count_(count) {
  if (count < 2) return;
  if (order.kind == device::Order::Kind::backwards) {
    step_ = first_ = count - 1;
  } else if (order.kind != device::Order::Kind::by_index) {
    first_ = device::splitmix64(order.seed + device::kSplitmixStep) % count;
    step_ = device::splitmix64(order.seed + 2 * device::kSplitmixStep) % count;
    while (std::gcd(step_, count) != 1) step_ = (step_ + 1) % count;
  }
}

Sample::Sample(std::uint64_t wanted, std::uint64_t count)
    : size_(wanted == 0 ? count : std::min(wanted, count)), count_(count) {}

std::uint64_t Sample::begin(std::uint64_t place) const {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(place) * count_ / size_);
}

std::uint64_t Sample::at(std::uint64_t place) const {
  if (place == 0 || size_ == count_) return place;
  if (place + 1 == size_) return count_ - 1;
  const std::uint64_t first = begin(place), end = begin(place + 1);
  return first + device::splitmix64((place + 1) * device::kSplitmixStep) % (end - first);
}

bool Sample::has(std::uint64_t number) const {
  std::uint64_t place =
      static_cast<std::uint64_t>(static_cast<unsigned __int128>(number) * size_ / count_);
  while (begin(place + 1) <= number) ++place; // that division rounds down as begin() does
  return at(place) == number;
}

} // namespace course::emulator
