#include "device/gpu/patterns/generate.hpp"
#include "device/gpu/patterns/kernel.hpp"

#include "device/code/ptx/parse.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace course::gpu::patterns {
namespace {

std::vector<Pattern> one_of_each() {
  std::vector<Pattern> all;
  for (const auto& kind : kinds()) all.push_back(generate(kind, 1, 1).front());
  return all;
}

device::Observation observation(std::size_t patterns) {
  device::Observation result;
  for (std::size_t i = 0; i < patterns; ++i) {
    device::LineCounts counts;
    counts.line = static_cast<std::uint32_t>(i + 2);
    counts.kind = model::kind_of("shared_load_4").value();
    counts.requests = 1;
    counts.wavefronts = 10 * (i + 1);
    counts.ideal = 1;
    result.lines.push_back(counts);
  }
  return result;
}

} // namespace

TEST_CASE("the kernel is PTX, with each pattern's instruction on a line of its own") {
  const auto all = one_of_each();
  const auto parsed = ptx::parse(kernel_text(all, 9, 0));
  const auto* error = std::get_if<ptx::ParseError>(&parsed);
  REQUIRE_MESSAGE(!error, (error ? error->message + ": " + error->excerpt : ""));
  const auto& module = std::get<ptx::Module>(parsed);
  CHECK(module.target == "sm_90");
  std::vector<int> on_line(all.size() + 2);
  for (const auto& instruction : module.functions.at(0).body) {
    REQUIRE(instruction.source.line < on_line.size());
    ++on_line[instruction.source.line];
  }
  CHECK(std::all_of(on_line.begin() + 2, on_line.end(), [](int count) { return count == 1; }));
}

TEST_CASE("the table holds each pattern's offsets, shared ones first") {
  auto patterns = generate(*find_kind("cp_async_ca_4"), 2, 1);
  const auto made = job(patterns, 9, 0);
  const auto& table = made.buffers.at(0).bytes;
  REQUIRE(table.size() == 512);
  CHECK(std::equal(table.begin() + 256, table.begin() + 384,
                   reinterpret_cast<const std::byte*>(patterns[1].lane.data())));
  CHECK(std::equal(table.begin() + 384, table.end(),
                   reinterpret_cast<const std::byte*>(patterns[1].global.data())));
}

TEST_CASE("measurements are read by line, and the steps of a loop are added up") {
  auto counted = observation(2);
  device::LineCounts loop = counted.lines[1];
  loop.kind = model::kind_of("shared_atomic_loop_4").value();
  loop.wavefronts = 7;
  counted.lines.push_back(loop);
  loop.line = 1; // of the rest of the kernel
  counted.lines.push_back(loop);
  const auto read = measurements(counted, 2);
  REQUIRE(std::holds_alternative<std::vector<Measured>>(read));
  const auto& measured = std::get<std::vector<Measured>>(read);
  CHECK(measured[0].wavefronts == 10);
  CHECK(measured[1].wavefronts == 27);
  CHECK(measured[1].steps == "shared_load_4:1:20 shared_atomic_loop_4:1:7");
}

TEST_CASE("a pattern without a count, a launch that failed and one not counted are errors") {
  const auto text = [](const device::Observation& counted, std::size_t patterns) {
    const auto read = measurements(counted, patterns);
    return std::holds_alternative<std::string>(read) ? std::get<std::string>(read) : "";
  };
  CHECK(text(observation(2), 3) == "pattern 2 of the launch was not found among the counts");
  auto failed = observation(1);
  failed.status = device::Observation::Status::failed;
  failed.reason = "it broke";
  CHECK(text(failed, 1) == "the kernel did not run: it broke");
  device::Observation uncounted;
  uncounted.counted_by = "not counted: forbidden";
  CHECK(text(uncounted, 1) == "nothing was counted: not counted: forbidden");
}

} // namespace course::gpu::patterns
