#include "lab/other_gpu.hpp"

#include <doctest/doctest.h>

namespace course::lab {
namespace {

using Why = judge::NotOnGpu::Why;

const gpu::Ability kT4{"Tesla T4", 75, 64 << 10, 15ull << 30};
const gpu::Ability kB200{"NVIDIA B200", 100, 227 << 10, 180ull << 30};
const gpu::Ability kH100{"NVIDIA H100", 90, 227 << 10, 80ull << 30};

device::Job job(const std::string& body, std::uint32_t dynamic_shared = 0) {
  device::Job made;
  made.modules.emplace_back();
  made.modules[0].ptx = ".version 9.0\n.target sm_90\n.address_size 64\n.file 1 \"mine.cu\"\n"
                        ".visible .entry kernel()\n{\n  .reg .b32 %r<4>;\n  .reg .b64 %d<4>;\n"
                        "  .loc 1 12 0\n" +
                        body + "  ret;\n}\n";
  device::Launch launch;
  launch.kernel = "kernel";
  launch.dynamic_shared = dynamic_shared;
  made.plan.steps = {launch};
  return made;
}
const char* const kCopy = "  cp.async.ca.shared.global [%r1], [%d1], 4;\n";

} // namespace

TEST_CASE("a GPU lacks nothing for code that every GPU has") {
  CHECK_FALSE(lack(kT4, job("  bar.sync 0;\n")));
}

TEST_CASE("an instruction that came later is named, with its line") {
  const auto found = lack(kT4, job(kCopy));
  REQUIRE(found);
  CHECK(found->why == Why::instruction);
  CHECK(found->gpu == "Tesla T4");
  CHECK(found->has == 75);
  CHECK(found->needs == 80);
  CHECK(found->instruction == "cp.async.ca.shared.global");
  CHECK(found->line == 12);
  CHECK_FALSE(found->solution);
  CHECK_FALSE(lack(kB200, job(kCopy)));
}

TEST_CASE("what is of one GPU alone is on no later one either") {
  const auto found = lack(kB200, job("  wgmma.fence.sync.aligned;\n"));
  REQUIRE(found);
  CHECK(found->alone);
  CHECK(found->needs == 90);
}

TEST_CASE("a block's shared memory has to be there, static or dynamic") {
  const auto found = lack(kT4, job("", 96 << 10));
  REQUIRE(found);
  CHECK(found->why == Why::shared_memory);
  CHECK(found->asks == 96 << 10);
  CHECK(found->there == 64 << 10);
  CHECK(lack(kT4, job(""), (64 << 10) + 1));
  CHECK_FALSE(lack(kT4, job("", 64 << 10), 64 << 10));
}

TEST_CASE("of the GPU that is emulated nothing is asked beforehand") {
  CHECK_FALSE(lack(kH100, job("  wgmma.fence.sync.aligned;\n", 512 << 10)));
}

TEST_CASE("what is timed takes its buffers twice, and its output once more") {
  gpu::TimedWork work;
  work.buffers.resize(2);
  work.buffers[0].region.size = work.buffers[1].region.size = 1ull << 30;
  work.output.buffer = 0;
  auto gpu = kT4;
  gpu.memory = 8ull << 30;
  CHECK_FALSE(lack_of_memory(gpu, work));
  gpu.memory = 5ull << 30;
  const auto found = lack_of_memory(gpu, work);
  REQUIRE(found);
  CHECK(found->why == Why::memory);
  CHECK(found->asks == 5ull << 30);
}

} // namespace course::lab
