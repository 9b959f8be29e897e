#include "runtime/address_space.hpp"

#include "runtime/device_window.hpp"

#include <doctest/doctest.h>

namespace course::runtime {

namespace {
constexpr std::uint64_t kMiB = 1 << 20;
}

TEST_CASE("the first allocation is at the first address") {
  AddressSpace space(64 * kMiB);
  CHECK(space.allocate(4) == kFirstAddress);
}

TEST_CASE("allocations start at multiples of two MiB with unmapped space between") {
  AddressSpace space(64 * kMiB);
  for (const std::uint64_t size :
       {std::uint64_t{1}, 2 * kMiB - 1, 2 * kMiB, 2 * kMiB + 1, 5 * kMiB}) {
    CAPTURE(size);
    const auto first = space.allocate(size).value();
    const auto second = space.allocate(1).value();
    CHECK(first % kAddressGranularity == 0);
    CHECK(second - (first + size) >= kAddressGranularity);
  }
}

TEST_CASE("allocations lie above the exercise's own memory") {
  AddressSpace space(64 * kMiB);
  space.reserve(kFirstAddress, 10 * kMiB);
  space.reserve(kFirstAddress + 64 * kMiB, 3);
  CHECK(space.allocate(1).value() >= kFirstAddress + 66 * kMiB);
  CHECK(space.allocated() == 1);
}

TEST_CASE("an address is not used twice, so that use after free is seen") {
  AddressSpace space(64 * kMiB);
  const auto first = space.allocate(kMiB).value();
  CHECK(!space.release(first));
  CHECK(space.allocate(kMiB).value() != first);
  CHECK(space.fault(first, 4).value() == "this memory was freed before");
  CHECK(space.fault(first + kMiB - 4, 4).value() == "this memory was freed before");
}

TEST_CASE("more than the capacity does not fit, and freeing makes room") {
  AddressSpace space(10 * kMiB);
  const auto first = space.allocate(6 * kMiB).value();
  CHECK(!space.allocate(5 * kMiB));
  CHECK(!space.allocate(~0ull));
  CHECK(!space.release(first));
  CHECK(space.allocate(10 * kMiB));
}

TEST_CASE("the addresses end where the window of device memory ends") {
  AddressSpace space(~0ull);
  CHECK(space.allocate((1ull << 40) - 8 * kMiB));
  CHECK(!space.allocate(16 * kMiB));
}

TEST_CASE("a pointer is freed once, at its start, by its owner") {
  AddressSpace space(64 * kMiB);
  space.reserve(kFirstAddress, kMiB);
  const auto own = space.allocate(100).value();
  CHECK(space.release(own + 4).value().find("inside an allocation") != std::string::npos);
  CHECK(space.release(kFirstAddress).value() == "this memory does not come from cudaMalloc");
  CHECK(space.release(0x7fff00001234).value() ==
        "0x7fff00001234 is not the address of an allocation");
  CHECK(!space.release(own));
  CHECK(space.release(own).value() == "this memory was freed before");
  CHECK(space.holding(kFirstAddress) != nullptr);
}

TEST_CASE("a range is in one allocation, or the fault says where it is not") {
  AddressSpace space(64 * kMiB);
  const auto start = space.allocate(100).value();
  CHECK(!space.fault(start, 100));
  CHECK(!space.fault(start + 99, 1));
  CHECK(space.fault(start + 90, 11).value() == "11 bytes from byte 90 of an allocation of 100");
  CHECK(space.fault(start + 90, ~0ull));
  CHECK(space.fault(start + 100, 1));
  CHECK(space.fault(0, 4).value() == "a null pointer");
  CHECK(space.fault(kFirstAddress - 1, 4).value() == "0xfffffffff is not in any allocation");
}

TEST_CASE("memory of the host is held, is no allocation, and may come again at its address") {
  AddressSpace space(100);
  const device::Address host = 0x7f00'0000'0010;
  CHECK(space.adopt(host, 1000)); // more than the capacity
  CHECK(space.holding(host + 999)->hosts);
  CHECK_FALSE(space.fault(host + 996, 4));
  CHECK(space.fault(host + 996, 5));
  CHECK_FALSE(space.adopt(host + 500, 10));
  CHECK_FALSE(space.adopt(host - 10, 11));
  CHECK(space.adopt(host + 1000, 10));
  CHECK(space.allocations() == 0);
  CHECK(space.allocated() == 0);
  CHECK_FALSE(space.release(host));
  CHECK(space.release(host) == "0x7f0000000010 is not the address of an allocation");
  CHECK(space.adopt(host, 1000));
  CHECK(space.adopt(host + 2000, 10, true));
  CHECK_FALSE(space.fault(host + 2000, 10));
  CHECK_FALSE(space.fault_of_write(host, 10));
  CHECK(space.fault_of_write(host + 2000, 10));
  CHECK(space.fault_of_write(host + 999, 2));
  CHECK_FALSE(space.adopt(kFirstAddress + 5, 1)); // the device's
  CHECK_FALSE(space.adopt(kFirstAddress - 5, 10));
  CHECK_FALSE(space.adopt(0, 10));
  CHECK_FALSE(space.adopt(5, ~0ull));
  CHECK(space.allocate(10) == kFirstAddress);
}

} // namespace course::runtime
