// The addresses that device memory has, in every process: the program's, the grader's, a device's.
#pragma once

#include "device/device.hpp"

#include <cstdint>

namespace course::runtime {

// Device memory as the host code sees it: addresses in this range, 2 MiB apart at least; a device
// executes the plan at the same addresses. Linux maps nothing of a program there.
inline constexpr device::Address kFirstAddress = 0x10'0000'0000;
inline constexpr device::Address kLastAddress = kFirstAddress + (1ull << 40);
inline constexpr std::uint64_t kAddressGranularity = 2ull << 20;

// __managed__ variables, which the program maps as well, lie behind.
inline constexpr device::Address kLastManagedVariable = kLastAddress + (1ull << 40);

// Other variables of modules lie above all addresses that a program's own memory can have.
inline constexpr device::Address kFirstVariable = 1ull << 47;

// A recording cannot know where a device will place a variable. It stands for one by an address
// from here, where no device has memory.
inline constexpr device::Address kFirstRecordedVariable = kFirstVariable + (1ull << 46);
inline constexpr device::Address kLastRecordedVariable = 1ull << 48;

} // namespace course::runtime
