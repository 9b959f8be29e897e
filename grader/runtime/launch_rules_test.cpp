// Each case is one that was tried on an H200 with CUDA 13.0 (driver 580); the status is what it
// gave.
#include "runtime/launch_rules.hpp"

#include "device/spelled.hpp"

#include <doctest/doctest.h>

namespace course::runtime {

namespace {

using Dim = std::array<std::uint32_t, 3>;

const model::Gpu& kGpu = model::default_gpu();

device::KernelInfo plain() {
  device::KernelInfo kernel;
  kernel.name = "plain";
  kernel.registers = 10;
  return kernel;
}

device::KernelInfo with_static(std::uint32_t bytes) {
  auto kernel = plain();
  kernel.static_shared = bytes;
  return kernel;
}

CudaStatus status(const device::KernelInfo& kernel, Dim grid, Dim block, std::uint64_t shared = 0) {
  const auto fault =
      launch_fault(kGpu, kernel, default_dynamic_shared(kGpu, kernel), grid, block, shared);
  return fault ? fault->status : CudaStatus::success;
}

std::string why(const device::KernelInfo& kernel, std::uint32_t most, Dim grid, Dim block,
                std::uint64_t shared = 0) {
  const auto fault = launch_fault(kGpu, kernel, most, grid, block, shared);
  return fault ? device::spelled(fault->why) : "";
}

constexpr auto kAccepted = CudaStatus::success;
constexpr auto kRefused = CudaStatus::invalid_value;

} // namespace

TEST_CASE("a block has 1 to 1,024 threads, at most 64 of them in z") {
  CHECK(status(plain(), {1, 1, 1}, {1024, 1, 1}) == kAccepted);
  CHECK(status(plain(), {1, 1, 1}, {1, 1024, 1}) == kAccepted);
  CHECK(status(plain(), {1, 1, 1}, {1, 1, 64}) == kAccepted);
  CHECK(status(plain(), {1, 1, 1}, {2048, 1, 1}) == kRefused);
  CHECK(status(plain(), {1, 1, 1}, {1, 1025, 1}) == kRefused);
  CHECK(status(plain(), {1, 1, 1}, {1, 1, 65}) == kRefused);
  CHECK(status(plain(), {1, 1, 1}, {0, 1, 1}) == kRefused);
  CHECK(status(plain(), {1, 1, 1}, {32, 32, 2}) == kRefused);
}

TEST_CASE("a grid has 1 to 2,147,483,647 blocks in x and to 65,535 in y and z") {
  CHECK(status(plain(), {2147483647, 1, 1}, {1, 1, 1}) == kAccepted);
  CHECK(status(plain(), {1, 65535, 1}, {1, 1, 1}) == kAccepted);
  CHECK(status(plain(), {2147483648, 1, 1}, {1, 1, 1}) == kRefused);
  CHECK(status(plain(), {1, 65536, 1}, {1, 1, 1}) == kRefused);
  CHECK(status(plain(), {1, 1, 65536}, {1, 1, 1}) == kRefused);
  CHECK(status(plain(), {0, 1, 1}, {32, 1, 1}) == kRefused);
}

TEST_CASE("dimensions whose product overflows are refused") {
  CHECK(status(plain(), {1, 1, 1}, {65536, 65536, 1}) == kRefused);
  CHECK(status(plain(), {1, 1, 1}, {4294967295, 4294967295, 4294967295}) == kRefused);
  CHECK(status(plain(), {1, 1, 1}, {2147483648, 2147483648, 4}) == kRefused);
}

TEST_CASE("launch bounds are a limit; too many registers are another error") {
  auto bound = plain();
  bound.max_threads = 256;
  CHECK(status(bound, {1, 1, 1}, {256, 1, 1}) == kAccepted);
  CHECK(status(bound, {1, 1, 1}, {257, 1, 1}) == kRefused);
  auto fat = plain();
  fat.registers = 255;
  CHECK(status(fat, {1, 1, 1}, {256, 1, 1}) == kAccepted);
  CHECK(status(fat, {1, 1, 1}, {1024, 1, 1}) == CudaStatus::launch_out_of_resources);
  fat.registers = 0; // not known: no limit
  CHECK(status(fat, {1, 1, 1}, {1024, 1, 1}) == kAccepted);
}

TEST_CASE("static and dynamic shared memory share 48 KiB until a kernel opts in") {
  CHECK(status(plain(), {1, 1, 1}, {32, 1, 1}, 49152) == kAccepted);
  CHECK(status(plain(), {1, 1, 1}, {32, 1, 1}, 49153) == kRefused);
  CHECK(status(with_static(4096), {1, 1, 1}, {32, 1, 1}, 49152 - 4096) == kAccepted);
  CHECK(status(with_static(4096), {1, 1, 1}, {32, 1, 1}, 49152 - 4096 + 4) == kRefused);
  CHECK(status(plain(), {1, 1, 1}, {32, 1, 1}, 300'000) == kRefused);
}

TEST_CASE("what a kernel opted in to is its limit, also below 48 KiB") {
  const Dim one{1, 1, 1}, warp{32, 1, 1};
  CHECK(!launch_fault(kGpu, plain(), 232448, one, warp, 232448));
  CHECK(launch_fault(kGpu, plain(), 232448, one, warp, 232449));
  CHECK(!launch_fault(kGpu, plain(), 1000, one, warp, 1000));
  CHECK(launch_fault(kGpu, plain(), 1000, one, warp, 1001));
  CHECK(launch_fault(kGpu, plain(), 0, one, warp, 128));
  CHECK(most_dynamic_shared(kGpu, with_static(4096)) == 232448 - 4096);
  CHECK(most_dynamic_shared(kGpu, with_static(300'000)) == 0);
}

// CUDA 13.0 looks at the low 32 bits alone and launches; nobody who asks for 4 GiB means none.
TEST_CASE("four GiB of dynamic shared memory are refused, unlike on the device") {
  CHECK(status(plain(), {1, 1, 1}, {32, 1, 1}, 1ull << 32) == kRefused);
}

TEST_CASE("more static shared memory than a block may have is refused") {
  CHECK(status(with_static(300 << 10), {1, 1, 1}, {32, 1, 1}) == kRefused);
}

TEST_CASE("the reason has the numbers, and what to do where something can be done") {
  const Dim one{1, 1, 1}, warp{32, 1, 1};
  CHECK(why(plain(), 49152, one, {2048, 1, 1}) == "threads_beyond_device(2048, 1024)");
  CHECK(why(plain(), 49152, {0, 1, 1}, warp) == "no_extent_of_grid(x)");
  CHECK(why(plain(), 49152, one, {1, 0, 1}) == "no_extent_of_block(y)");
  CHECK(why(plain(), 49152, {1, 70000, 1}, warp) == "grid_too_large(70000, y, 65535)");
  CHECK(why(plain(), 49152, one, {1, 1, 65}) == "block_too_large(65, z, 64)");
  CHECK(why(plain(), 49152, one, warp, 300'000) == "shared_beyond_device(300000, 0, 232448)");
  CHECK(why(plain(), 49152, one, warp, 100'000) ==
        "shared_beyond_attribute(100000, 49152, 100000)");
  auto fat = plain();
  fat.registers = 255;
  CHECK(why(fat, 0, one, {1024, 1, 1}) == "threads_beyond_registers(1024, 255, 65536)");
}

TEST_CASE("the threads that an attribute reports are those that a launch may have") {
  auto kernel = plain();
  CHECK(most_threads(kGpu, kernel) == 1024);
  kernel.max_threads = 256;
  CHECK(most_threads(kGpu, kernel) == 256);
  kernel.max_threads = 0;
  kernel.registers = 255;
  CHECK(most_threads(kGpu, kernel) == 256);
}

TEST_CASE("a cooperative grid is as large as the device has room for at once") {
  CHECK(!cooperative_fault(kGpu, {132, 1, 1}, 1));
  CHECK(!cooperative_fault(kGpu, {4, 33, 32}, 32));
  const auto fault = cooperative_fault(kGpu, {2, 2, 34}, 1);
  REQUIRE(fault);
  CHECK(fault->status == CudaStatus::cooperative_launch_too_large);
  CHECK(device::spelled(fault->why) == "cooperative_too_large(2, 2, 34, 1, 132, 132)");
  CHECK(cooperative_fault(kGpu, {2147483647, 65535, 65535}, 32));
}

TEST_CASE("clusters are of 8 blocks, or of 16 where a kernel asks for it, and divide the grid") {
  CHECK(!cluster_fault(kGpu, {16, 1, 1}, {8, 1, 1}, false));
  CHECK(!cluster_fault(kGpu, {16, 1, 1}, {16, 1, 1}, true));
  const auto spelled = [](const std::optional<LaunchFault>& fault) {
    return fault ? device::spelled(fault->why) : "";
  };
  CHECK(spelled(cluster_fault(kGpu, {16, 1, 1}, {16, 1, 1}, false)) ==
        "cluster_too_large(16, 1, 1, 8, 16)");
  CHECK(spelled(cluster_fault(kGpu, {17, 1, 1}, {2, 1, 1}, false)) ==
        "grid_is_no_multiple(17, 1, 1, 2, 1, 1)");
}

} // namespace course::runtime
