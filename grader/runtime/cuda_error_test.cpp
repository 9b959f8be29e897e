#include "runtime/cuda_error.hpp"

#include <doctest/doctest.h>

#include <string>

namespace course::runtime {

TEST_CASE("errors have CUDA's names and texts") {
  CHECK(error_name(CudaStatus::success) == std::string("cudaSuccess"));
  CHECK(error_text(0) == std::string("no error"));
  CHECK(error_name(CudaStatus::invalid_value) == std::string("cudaErrorInvalidValue"));
  CHECK(error_text(700) == std::string("an illegal memory access was encountered"));
}

TEST_CASE("each error that the runtime gives is the one of that name") {
  CHECK(error_name(CudaStatus::memory_allocation) == std::string("cudaErrorMemoryAllocation"));
  CHECK(error_name(CudaStatus::invalid_pitch) == std::string("cudaErrorInvalidPitchValue"));
  CHECK(error_name(CudaStatus::invalid_symbol) == std::string("cudaErrorInvalidSymbol"));
  CHECK(error_name(CudaStatus::invalid_memcpy_direction) ==
        std::string("cudaErrorInvalidMemcpyDirection"));
  CHECK(error_name(CudaStatus::invalid_device_function) ==
        std::string("cudaErrorInvalidDeviceFunction"));
  CHECK(error_name(CudaStatus::no_device) == std::string("cudaErrorNoDevice"));
  CHECK(error_name(CudaStatus::invalid_device) == std::string("cudaErrorInvalidDevice"));
  CHECK(error_name(CudaStatus::invalid_kernel_image) == std::string("cudaErrorInvalidKernelImage"));
  CHECK(error_name(CudaStatus::unsupported_limit) == std::string("cudaErrorUnsupportedLimit"));
  CHECK(error_name(CudaStatus::invalid_resource_handle) ==
        std::string("cudaErrorInvalidResourceHandle"));
  CHECK(error_name(CudaStatus::illegal_address) == std::string("cudaErrorIllegalAddress"));
  CHECK(error_name(CudaStatus::launch_out_of_resources) ==
        std::string("cudaErrorLaunchOutOfResources"));
  CHECK(error_name(CudaStatus::not_supported) == std::string("cudaErrorNotSupported"));
}

TEST_CASE("a number that is no error says so, as CUDA does") {
  CHECK(error_name(12345u) == std::string("unrecognized error code"));
  CHECK(error_text(12345u) == std::string("unrecognized error code"));
}

} // namespace course::runtime
