// The worker with a driver that answers as an older GPU's does (older_driver.cpp), which CTest puts
// in LD_LIBRARY_PATH: COURSE_OLDER says which.
#include "device/gpu/gpu.hpp"

#include "system/environment.hpp"

#include <doctest/doctest.h>

namespace course::gpu {
namespace {

using Status = device::Observation::Status;

int capability() {
  return std::stoi(system::environment("COURSE_OLDER").value_or("0"));
}

device::Job job(const std::string& body, const std::string& kernel = "kernel") {
  device::Job made;
  made.modules.emplace_back();
  made.modules[0].ptx = ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry " + kernel +
                        "()\n{\n  .reg .b32 %r<4>;\n  .reg .b64 %d<4>;\n" + body + "  ret;\n}\n";
  made.modules[0].cubin = device::Bytes(64, std::byte{0x7f}); // for sm_90
  device::Launch launch;
  launch.kernel = kernel;
  launch.grid = launch.block = {1, 1, 1};
  made.plan.steps = {launch};
  return made;
}

device::Observation executed(const device::Job& job) {
  auto all = execute_in_turn({job});
  REQUIRE(all.size() == 1);
  return std::move(all.front());
}

} // namespace

TEST_CASE("a GPU says its compute capability and what a block can have") {
  const auto found = ability();
  if (const auto* why = std::get_if<std::string>(&found)) FAIL(*why);
  const auto& gpu = std::get<Ability>(found);
  CHECK(gpu.gpu == "a fake GPU");
  CHECK(gpu.capability == capability());
  CHECK(gpu.shared_a_block == 64 << 10);
  CHECK_FALSE(gpu.is_as_emulated());
}

TEST_CASE("code that every GPU has is executed from PTX, whatever target nvcc named") {
  CHECK(executed(job("  bar.sync 0;\n")).status == Status::completed);
}

TEST_CASE("what came later the driver refuses, and nobody is blamed for it") {
  const auto seen = executed(job("  cp.async.ca.shared.global [%r1], [%d1], 4;\n"));
  CHECK(seen.findings.empty());
  CHECK(seen.status == (capability() < 80 ? Status::unsupported : Status::completed));
}

TEST_CASE("a launch that only this GPU has no room for is not the kernel's fault") {
  const auto seen = executed(job("", "greedy"));
  CHECK(seen.status == Status::unsupported);
  CHECK(seen.findings.empty());
}

} // namespace course::gpu
