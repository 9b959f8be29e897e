// The kernels of the timing, executed on the emulated device.
#include "device/gpu/timed_kernels.hpp"

#include "device/emulator/emulator.hpp"
#include "device/gpu/timed_work.hpp"
#include "device/gpu/typed_bytes.hpp"
#include "device/gpu/variation.hpp"
#include "device/spelled.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace course::gpu {
namespace {

constexpr device::Address kOne = 0x10'0000, kOther = 0x20'0000, kResult = 0x30'0000;

void put(device::Bytes& arguments, const auto& value) {
  while (arguments.size() % sizeof value != 0) arguments.emplace_back();
  arguments.resize(arguments.size() + sizeof value);
  std::memcpy(arguments.data() + arguments.size() - sizeof value, &value, sizeof value);
}

device::Observation launched(const char* kernel, std::uint32_t blocks, std::uint32_t threads,
                             std::vector<device::Buffer> buffers, const auto&... arguments) {
  device::Job job;
  job.modules.push_back({kTimedKernels, {}});
  job.buffers = std::move(buffers);
  job.instruction_budget = 10'000'000;
  device::Launch launch;
  launch.kernel = kernel;
  launch.grid = {blocks, 1, 1};
  launch.block = {threads, 1, 1};
  (put(launch.arguments, arguments), ...);
  job.plan.steps.push_back(launch);
  auto seen = emulator::make_device()->execute(job);
  REQUIRE_MESSAGE(seen.status == device::Observation::Status::completed,
                  device::spelled(seen.reason));
  CHECK(seen.findings.empty());
  return seen;
}

Different compared(const std::vector<float>& one, const std::vector<float>& right, int floats,
                   double absolute, double relative) {
  const std::vector<std::uint64_t> none = {0, ~std::uint64_t{0}};
  const auto seen =
      launched("compare", 3, 64,
               {{"one", kOne, bytes_of(one), true},
                {"right", kOther, bytes_of(right), true},
                {"result", kResult, bytes_of(none), true}},
               kOne, kOther, std::uint64_t{one.size()}, floats, absolute, relative, kResult);
  const auto result = values_of<std::uint64_t>(seen.buffers[2]);
  return {result[0], result[1]};
}

} // namespace

TEST_CASE("the device moves the words that the grader says") {
  for (const std::uint64_t words : {1ull, 700ull, 1024ull, 10'000ull}) {
    std::vector<int> before(words);
    std::iota(before.begin(), before.end(), 5);
    for (const std::uint64_t seed : {1ull, 0xfedcba9876543210ull}) {
      const auto own = seed_of_buffer(seed, 2);
      const auto seen =
          launched("vary", 1, 32,
                   {{"to", kOne, bytes_of(before), true}, {"from", kOther, bytes_of(before), true}},
                   kOne, kOther, words, own);
      CHECK(values_of<int>(seen.buffers[0]) == varied(before, 1, own));
    }
  }
}

TEST_CASE("outputs are compared within what is allowed, and not a number is never right") {
  std::vector<float> right(1000);
  std::iota(right.begin(), right.end(), -500.0f);
  CHECK(compared(right, right, 1, 0, 0).elements == 0);
  auto off = right;
  off[777] = std::nextafter(off[777], 1000.0f);
  CHECK(compared(off, right, 1, 0, 0).elements == 1);
  CHECK(compared(off, right, 1, 0, 0).first == 777);
  CHECK(compared(off, right, 1, 0, 1e-6).elements == 0);
  CHECK(compared(off, right, 1, 1e-4, 0).elements == 0);
  CHECK(compared(off, right, 1, 1e-6, 1e-8).elements == 1);
  off[3] = std::numeric_limits<float>::quiet_NaN();
  off[999] = std::numeric_limits<float>::infinity();
  const auto found = compared(off, right, 1, 1e30, 1e30);
  CHECK(found.elements == 2);
  CHECK(found.first == 3);
}

TEST_CASE("whole numbers are right bit by bit") {
  const std::vector<float> right(300, 1.0f);
  auto off = right;
  off[299] = std::nextafter(1.0f, 2.0f);
  CHECK(compared(off, right, 0, 1, 1).elements == 1);
  CHECK(compared(off, right, 1, 1, 1).elements == 0);
}

TEST_CASE("the flush reads all of its buffer and writes nothing") {
  const std::vector<int> before(4096, 7);
  const auto seen = launched("flush", 2, 64, {{"buffer", kOne, bytes_of(before), true}}, kOne,
                             std::uint64_t{before.size() * 4});
  CHECK(values_of<int>(seen.buffers[0]) == before);
  std::uint64_t sectors = 0;
  for (const auto& line : seen.lines) sectors += line.sectors;
  CHECK(sectors == before.size() * 4 / 32);
}

} // namespace course::gpu
