// The errors of the CUDA runtime, by number, for code that may not include CUDA's headers.
#pragma once

#include <cstdint>

namespace course::runtime {

// Those that our runtime gives. Numbers are the API's; the full list is cuda_error.def.
enum class CudaStatus : std::uint32_t {
  success = 0,
  invalid_value = 1,
  memory_allocation = 2,
  invalid_pitch = 12,
  invalid_symbol = 13,
  invalid_memcpy_direction = 21,
  invalid_device_function = 98,
  no_device = 100,
  invalid_device = 101,
  invalid_kernel_image = 200,
  unsupported_limit = 215,
  invalid_resource_handle = 400,
  illegal_address = 700,
  launch_out_of_resources = 701,
  assertion = 710,
  host_memory_already_registered = 712,
  host_memory_not_registered = 713,
  illegal_instruction = 715,
  misaligned_address = 716,
  invalid_address_space = 717,
  launch_failure = 719,
  cooperative_launch_too_large = 720,
  invalid_cluster_size = 912,
  not_supported = 801,
};

// "cudaErrorInvalidValue", "invalid argument"; "unrecognized error code" for a number that
// CUDA 13.0 does not have. Static storage, never null.
const char* error_name(std::uint32_t code);
const char* error_text(std::uint32_t code);

inline const char* error_name(CudaStatus status) {
  return error_name(static_cast<std::uint32_t>(status));
}

} // namespace course::runtime
