// Which of a program's device code the emulated device can execute.
#pragma once

#include "device/device.hpp"
#include "device/model/known_gpus.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <variant>

namespace course::code {

// The newest PTX in a fat binary's container that this GPU would translate (for an H200 compute_90
// or older), with the cubin of the same compilation where it is for its machine code (sm_90).
// Otherwise why there is none, and how to build a program that has it. Of a program with
// relocatable device code (-rdc=true), whose image is the linked machine code and what that was
// linked from, the PTX is linked too.
std::variant<device::Module, std::string> choose_device_code(const model::Gpu&,
                                                             std::span<const std::byte> image);

} // namespace course::code
