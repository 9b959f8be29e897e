#include "device/model/known_gpus.hpp"

#include <doctest/doctest.h>

namespace course::model {

TEST_CASE("a GPU's limits are what its attributes say") {
  for (const auto* gpu : known_gpus()) {
    CAPTURE(std::string(gpu->model));
    const auto says = [&](std::string_view name, auto value) {
      CAPTURE(std::string(name));
      REQUIRE(gpu->attribute(name));
      CHECK(*gpu->attribute(name) == static_cast<int>(value));
    };
    const auto& sm = gpu->multiprocessor;
    says("cudaDevAttrMultiProcessorCount", gpu->multiprocessors);
    says("cudaDevAttrComputeCapabilityMajor", gpu->compute_capability / 10);
    says("cudaDevAttrComputeCapabilityMinor", gpu->compute_capability % 10);
    says("cudaDevAttrMaxThreadsPerBlock", sm.threads_a_block);
    says("cudaDevAttrMaxThreadsPerMultiProcessor", sm.threads);
    says("cudaDevAttrMaxBlocksPerMultiprocessor", sm.blocks);
    says("cudaDevAttrMaxRegistersPerBlock", sm.registers);
    says("cudaDevAttrMaxRegistersPerMultiprocessor", sm.registers);
    says("cudaDevAttrMaxSharedMemoryPerBlock", sm.shared_bytes_without_opt_in);
    says("cudaDevAttrMaxSharedMemoryPerBlockOptin", sm.shared_bytes_a_block);
    says("cudaDevAttrMaxSharedMemoryPerMultiprocessor", sm.shared_bytes);
    says("cudaDevAttrReservedSharedMemoryPerBlock", sm.reserved_shared_bytes_a_block);
    says("cudaDevAttrMaxBlockDimX", gpu->block_dim[0]);
    says("cudaDevAttrMaxBlockDimY", gpu->block_dim[1]);
    says("cudaDevAttrMaxBlockDimZ", gpu->block_dim[2]);
    says("cudaDevAttrMaxGridDimX", gpu->grid_dim[0]);
    says("cudaDevAttrMaxGridDimY", gpu->grid_dim[1]);
    says("cudaDevAttrMaxGridDimZ", gpu->grid_dim[2]);
  }
}

TEST_CASE("what is said of a GPU twice is the same") {
  for (const auto* gpu : known_gpus()) {
    CAPTURE(std::string(gpu->model));
    const auto number = std::to_string(gpu->compute_capability);
    CHECK(std::string(gpu->target) == std::string("sm_").append(number));
    CHECK(std::string(gpu->virtual_target) == std::string("compute_").append(number));
    CHECK(gpu->architecture.shared_bytes_a_block == gpu->multiprocessor.shared_bytes_a_block);
    CHECK(gpu->rates.multiprocessors == gpu->multiprocessors);
    const std::uint64_t most = gpu->multiprocessor.shared_kib.back();
    CHECK(most * 1024 == gpu->multiprocessor.shared_bytes);
  }
}

TEST_CASE("a GPU is found by its name, and is one of the architectures") {
  for (const auto* gpu : known_gpus()) {
    CHECK(gpu_named(gpu->architecture.name) == gpu);
    CHECK(architecture_named(gpu->architecture.name) == &gpu->architecture);
  }
  CHECK(gpu_named("1.x") == nullptr);
  CHECK(gpu_named(default_gpu().architecture.name) == &default_gpu());
}

TEST_CASE("a GPU with other shared memory says so wherever it is asked") {
  const auto other = default_gpu().with_shared_memory(164);
  CHECK(other.attribute("cudaDevAttrMaxSharedMemoryPerMultiprocessor") == 164 * 1024);
  CHECK(other.attribute("cudaDevAttrMaxSharedMemoryPerBlockOptin") == 163 * 1024);
  CHECK(other.attribute("cudaDevAttrReservedSharedMemoryPerBlock") == 1024);
  CHECK(other.attribute("cudaDevAttrMaxThreadsPerMultiProcessor") == 2048);
  CHECK(other.multiprocessor.shared_bytes_a_block == 163 * 1024);
  CHECK(other.multiprocessor.shared_kib.back() == 164);
  CHECK(default_gpu().attribute("cudaDevAttrMaxSharedMemoryPerBlockOptin") == 227 * 1024);
}

TEST_CASE("a GPU is told to another process in words") {
  CHECK(told(default_gpu()) == "h200");
  CHECK(told(default_gpu().with_shared_memory(100)) == "h200 100");
  CHECK(gpu_told("h200")->multiprocessor.shared_bytes == 228 * 1024);
  CHECK(gpu_told("h200 100")->multiprocessor.shared_bytes == 100 * 1024);
  for (const auto* words : {"", "h100", "h200 ", "h200 0", "h200 x", "h200 10x", "h200 -1"}) {
    CAPTURE(words);
    CHECK_FALSE(gpu_told(words));
  }
}

TEST_CASE("there is no attribute that the driver does not know") {
  CHECK_FALSE(default_gpu().attribute("cudaDevAttrNumberOfWheels"));
}

} // namespace course::model
