// Random programs on warps, against the same programs evaluated one thread at a time: divergent
// branches, loops with different trip counts and early returns must neither lose a lane nor run one
// twice, and lanes meet again behind the statement at which they parted, unless one could return.
#include "device/emulator/differential/random_program.hpp"
#include "device/emulator/differential/seed.hpp"
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

namespace course::emulator::differential {
namespace {

constexpr std::uint32_t kBlocks = 2, kBlock = 70; // the last warp has 6 lanes
constexpr std::uint32_t kThreads = kBlocks * kBlock;

// The first thread that differs, told; empty when all agree.
std::string difference(const Program& program, LaneData& data, device::Device& device) {
  std::vector<std::uint32_t> input(kThreads);
  for (std::uint32_t& word : input) word = static_cast<std::uint32_t>(data.source(32));
  TestRun run(program.ptx());
  const auto out = run.buffer("out", std::vector<std::uint32_t>(kThreads * Program::kWords));
  const auto in = run.buffer("in", input);
  run.launch("k", {kBlocks}, {kBlock}, 0, out, in);
  run.seen = device.execute(run.job);
  if (!run.seen.reason.empty() || !run.findings().empty()) return run.why() + run.findings();

  const auto results = run.result<std::uint32_t>(0);
  std::vector<Program::Outcome> expected;
  expected.reserve(kThreads);
  for (std::uint32_t t = 0; t < kThreads; ++t) expected.push_back(program.evaluate(t, input[t]));
  for (std::uint32_t t = 0; t < kThreads; ++t) {
    const std::uint32_t* words = &results[t * Program::kWords];
    const std::string who = "thread " + std::to_string(t) + ": ";
    for (std::size_t i = 0; i < kRegisters; ++i)
      if (words[i] != expected[t].registers[i])
        return who + "r" + std::to_string(i) + " is " + std::to_string(words[i]) + ", expected " +
               std::to_string(expected[t].registers[i]);
    const std::uint32_t first = t / kBlock * kBlock + t % kBlock / 32 * 32; // of the warp
    for (std::size_t meeting = 0; meeting < program.meetings(); ++meeting) {
      std::uint32_t active = 0;
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const std::uint32_t other = first + lane;
        const bool exists = other < kThreads && other / kBlock == t / kBlock;
        if (exists && expected[other].meetings > meeting) active |= 1u << lane;
      }
      if (expected[t].meetings <= meeting) active = 0; // it had returned, and wrote nothing
      const std::uint32_t met = words[kRegisters + meeting];
      if (met != active)
        return who + "with lanes " + std::to_string(words[kRegisters + meeting]) + " at meeting " +
               std::to_string(meeting) + ", expected " + std::to_string(active);
    }
  }
  return {};
}

} // namespace

TEST_CASE("random programs on warps give what each thread gives alone") {
  const std::uint64_t first = seed(20260121);
  const std::uint64_t programs = 400 * rounds() / kOneOf;
  const auto device = make_device({1, true});
  std::size_t diverged = 0;
  for (std::uint64_t i = 0; i < programs; ++i) {
    LaneData data(first + i);
    const Program program(data);
    const std::string differs = difference(program, data, *device);
    REQUIRE_MESSAGE(differs.empty(), "program " << i << ", " << differs << "\n" << program.ptx());
    diverged += program.ptx().find("bra") != std::string::npos;
  }
  CHECK(diverged > programs / 2);
  MESSAGE(programs << " programs, seed " << first);
}

TEST_CASE("a program whose text is changed no longer agrees") {
  LaneData data(3);
  const Program program(data);
  std::string ptx = program.ptx();
  ptx.replace(ptx.find("mov.u32 %r5, 77"), 15, "mov.u32 %r5, 78");
  TestRun run(ptx);
  const auto out = run.buffer("out", std::vector<std::uint32_t>(kThreads * Program::kWords));
  const auto in = run.buffer("in", std::vector<std::uint32_t>(kThreads, 5));
  run.launch("k", {kBlocks}, {kBlock}, 0, out, in).run();
  std::size_t differing = 0;
  const auto results = run.result<std::uint32_t>(0);
  for (std::uint32_t t = 0; t < kThreads; ++t) {
    const Program::Outcome expected = program.evaluate(t, 5);
    for (std::size_t i = 0; i < kRegisters; ++i)
      differing += results[t * Program::kWords + i] != expected.registers[i];
  }
  CHECK(differing > 0);
}

} // namespace course::emulator::differential
