// One step of a plan, on the GPU.
#pragma once

#include "device/gpu/device_memory.hpp"
#include "device/gpu/driver.hpp"
#include "device/gpu/modules.hpp"

#include "device/device.hpp"

#include <optional>
#include <string>

namespace course::gpu {

// Why a plan went no further. With a finding where the device code is to blame.
struct Failure {
  device::Observation::Status status = device::Observation::Status::failed;
  std::string reason; // one sentence, of the driver where it has one
  std::optional<device::Finding> finding;
};

// Puts the step's work in the default stream, after all before it. Allocations and frees are done
// at once; a freed address stops every kernel that touches it later.
std::optional<Failure> enqueue(const Driver&, const Modules&, DeviceMemory&, const device::Step&);

// Waits for the stream. What a kernel did wrong is reported as of `launch`.
std::optional<Failure> finish(const Driver&, const device::Launch* launch);

// Static and dynamic shared bytes of a block.
std::uint64_t shared_bytes(const Driver&, const Modules&, const device::Launch&);

} // namespace course::gpu
