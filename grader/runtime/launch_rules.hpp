// When a launch is refused, and with which error, as CUDA 13.0 does on an H200 (driver 580).
//
// Observed there: everything that the device cannot do by its dimensions or its shared memory is
// cudaErrorInvalidValue (CUDA 12 said cudaErrorInvalidConfiguration), and only too many registers
// are cudaErrorLaunchOutOfResources.
#pragma once

#include "device/message.hpp"
#include "device/model/known_gpus.hpp"
#include "device/module_info.hpp"
#include "runtime/cuda_error.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace course::runtime {

struct LaunchFault {
  CudaStatus status{};
  device::Message why;
};

// `most_dynamic`: bytes of dynamic shared memory that the kernel's attribute allows.
std::optional<LaunchFault> launch_fault(const model::Gpu&, const device::KernelInfo&,
                                        std::uint32_t most_dynamic,
                                        const std::array<std::uint32_t, 3>& grid,
                                        const std::array<std::uint32_t, 3>& block,
                                        std::uint64_t dynamic_shared);

// The same for a cooperative launch, whose blocks have to be on the device at the same time.
// `blocks`: that fit on a multiprocessor.
std::optional<LaunchFault> cooperative_fault(const model::Gpu&,
                                             const std::array<std::uint32_t, 3>& grid,
                                             std::uint32_t blocks);

// The same for a launch in clusters. `large`: the kernel's attribute allows more blocks than are
// portable.
std::optional<LaunchFault> cluster_fault(const model::Gpu&,
                                         const std::array<std::uint32_t, 3>& grid,
                                         const std::array<std::uint32_t, 3>& cluster, bool large);

// Dynamic shared memory that a kernel may have before cudaFuncSetAttribute, and at most after it.
std::uint32_t default_dynamic_shared(const model::Gpu&, const device::KernelInfo&);
std::uint32_t most_dynamic_shared(const model::Gpu&, const device::KernelInfo&);

// Threads a block, by launch bounds and registers.
std::uint32_t most_threads(const model::Gpu&, const device::KernelInfo&);

} // namespace course::runtime
