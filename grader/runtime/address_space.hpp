// Device memory as the host code sees it: which addresses are allocated, and by whom.
//
// Addresses are handed out upwards and never again, with unmapped space after each allocation, so
// that an access past an allocation's end, or after its release, is never an access to another.
#pragma once

#include "device/device.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace course::runtime {

class AddressSpace {
public:
  // `capacity`: bytes that may be allocated at one time, reserved regions not counted.
  explicit AddressSpace(std::uint64_t capacity) : capacity_(capacity) {}

  struct Range {
    device::Address address = 0;
    std::uint64_t size = 0;
    bool reserved = false;  // the exercise's own: the program may not release it
    bool hosts = false;     // the program's own memory, which the device has as well
    bool read_only = false; // for the device
  };

  // Memory that exists beforehand. Later allocations lie above it.
  void reserve(device::Address, std::uint64_t size);

  // The address of `size` new bytes (more than 0); nothing when they do not fit.
  std::optional<device::Address> allocate(std::uint64_t size);

  // The program's own memory, of `size` bytes (more than 0), which counts for nothing here. False:
  // it lies over an allocation, or over addresses of the device.
  bool adopt(device::Address, std::uint64_t size, bool read_only = false);

  // Forgets the allocation that starts at this address. The result says why it could not.
  std::optional<std::string> release(device::Address);

  const Range* holding(device::Address) const; // nullptr: none

  // Why `size` bytes (more than 0) from `address` are not all of one allocation; nothing when they
  // are.
  std::optional<std::string> fault(device::Address, std::uint64_t size) const;
  // The same of bytes that are to be written.
  std::optional<std::string> fault_of_write(device::Address, std::uint64_t size) const;

  const std::map<device::Address, Range>& ranges() const { return ranges_; }
  // Those that were not released; neither reserved regions nor memory of the host.
  std::size_t allocations() const;
  std::uint64_t allocated() const { return allocated_; } // bytes, reserved regions not counted
  std::uint64_t capacity() const { return capacity_; }

private:
  std::map<device::Address, Range> ranges_;
  std::map<device::Address, std::uint64_t> released_; // for the message of a use after release
  std::uint64_t capacity_ = 0, allocated_ = 0;
  device::Address next_ = 0; // 0: nothing was handed out yet
};

} // namespace course::runtime
