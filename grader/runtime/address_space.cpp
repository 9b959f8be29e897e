#include "runtime/address_space.hpp"

#include "runtime/device_window.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace course::runtime {

namespace {

device::Address round_up(device::Address value) {
  return (value + kAddressGranularity - 1) / kAddressGranularity * kAddressGranularity;
}

} // namespace

void AddressSpace::reserve(device::Address address, std::uint64_t size) {
  ranges_[address] = {address, size, true};
  if (address >= kLastAddress) return; // a variable
  next_ = std::max(next_, round_up(address + size) + kAddressGranularity);
}

std::optional<device::Address> AddressSpace::allocate(std::uint64_t size) {
  if (size > capacity_ - allocated_) return std::nullopt;
  const auto address = std::max(next_, kFirstAddress);
  if (size > kLastAddress - address) return std::nullopt;
  next_ = round_up(address + size) + kAddressGranularity;
  ranges_[address] = {address, size, false};
  allocated_ += size;
  return address;
}

bool AddressSpace::adopt(device::Address address, std::uint64_t size, bool read_only) {
  if (address == 0 || address >= kFirstVariable || size > kFirstVariable - address) return false;
  const auto end = address + size;
  if (address < kLastManagedVariable && end > kFirstAddress) return false;
  const auto behind = ranges_.lower_bound(address);
  if (holding(address) || (behind != ranges_.end() && behind->first < end)) return false;
  ranges_[address] = {.address = address, .size = size, .hosts = true, .read_only = read_only};
  return true;
}

std::optional<std::string> AddressSpace::release(device::Address address) {
  const auto found = ranges_.find(address);
  if (found == ranges_.end()) {
    if (released_.contains(address)) return "this memory was freed before";
    if (holding(address)) return "the pointer is inside an allocation, not at its start";
    return fmt::format("{:#x} is not the address of an allocation", address);
  }
  if (found->second.reserved) return "this memory does not come from cudaMalloc";
  if (found->second.hosts) {
    ranges_.erase(found);
    return std::nullopt;
  }
  allocated_ -= found->second.size;
  released_[address] = found->second.size;
  ranges_.erase(found);
  return std::nullopt;
}

const AddressSpace::Range* AddressSpace::holding(device::Address address) const {
  auto after = ranges_.upper_bound(address);
  if (after == ranges_.begin()) return nullptr;
  const auto& range = std::prev(after)->second;
  return address - range.address < range.size ? &range : nullptr;
}

std::optional<std::string> AddressSpace::fault(device::Address address, std::uint64_t size) const {
  if (const auto* range = holding(address)) {
    const auto offset = address - range->address;
    if (size <= range->size - offset) return std::nullopt;
    return fmt::format("{} bytes from byte {} of an allocation of {}", size, offset, range->size);
  }
  if (address == 0) return "a null pointer";
  auto after = released_.upper_bound(address);
  if (after != released_.begin()) {
    const auto& [start, length] = *std::prev(after);
    if (address - start < length) return "this memory was freed before";
  }
  return fmt::format("{:#x} is not in any allocation", address);
}

std::optional<std::string> AddressSpace::fault_of_write(device::Address address,
                                                        std::uint64_t size) const {
  if (auto why = fault(address, size)) return why;
  if (!holding(address)->read_only) return std::nullopt;
  return "this memory was registered to be read only (cudaHostRegisterReadOnly)";
}

std::size_t AddressSpace::allocations() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      ranges_, [](const auto& entry) { return !entry.second.reserved && !entry.second.hosts; }));
}

} // namespace course::runtime
