// Observations staged by hand, for tests: what a transpose through a 32 x 32 tile amounts to.
#pragma once

#include "judge/execution.hpp"

#include <algorithm>

namespace course::judge::hand_made {

// One row of counts. `units` is both the requests and their ideal passes.
inline device::LineCounts row(std::uint32_t line, const std::string& access, std::uint64_t units) {
  device::LineCounts counts;
  counts.kernel = "transpose_tile";
  counts.file = "2_pad.cu";
  counts.line = line;
  counts.kind = model::kind_of(access).value();
  counts.requests = units;
  return counts;
}

inline device::LineCounts shared(std::uint32_t line, const std::string& access, std::uint64_t units,
                                 unsigned ways) {
  auto counts = row(line, access, units);
  counts.ideal = units;
  counts.wavefronts = units * ways;
  // An atomic may take more passes than a warp has lanes.
  counts.ways.at(std::min(ways, 32u)) = units;
  counts.worst.active = 0xffffffff;
  counts.worst.width = 4;
  for (unsigned lane = 0; lane < 32; ++lane)
    counts.worst.offset[lane] = lane * 4 * (ways == 1 ? 33 : ways);
  return counts;
}

inline device::LineCounts global(std::uint32_t line, const std::string& access, std::uint64_t units,
                                 unsigned sectors_a_request) {
  auto counts = row(line, access, units);
  counts.sectors = units * sectors_a_request;
  counts.worst.active = 0xffffffff;
  counts.worst.width = 4;
  for (unsigned lane = 0; lane < 32; ++lane)
    counts.worst.offset[lane] = 0x1000000000 + lane * 4 * (sectors_a_request == 4 ? 1 : 96);
  return counts;
}

// A right transpose of rows x cols floats, both multiples of 32, whose column read is n-way.
inline Execution transpose(std::uint64_t rows, std::uint64_t cols, unsigned ways = 1) {
  const auto elements = rows * cols;
  const auto units = elements / 32;
  Execution execution;
  execution.shape = matrix(rows, cols);
  execution.seed = 7;
  execution.bounds.elements = elements;
  execution.bounds.shared_loads = execution.bounds.shared_stores = {units, units};
  execution.bounds.global_loads = execution.bounds.global_stores = {units, units * 4};
  execution.output.elements = elements;
  execution.output.extent = {cols, rows};
  auto& observed = execution.observed;
  observed.lines = {global(22, "global_load_4", units, 4), shared(22, "shared_store_4", units, 1),
                    shared(29, "shared_load_4", units, ways),
                    global(29, "global_store_4", units, 4)};
  device::LaunchCounts launch;
  launch.kernel = "transpose_tile";
  launch.grid = {static_cast<std::uint32_t>(cols / 32), static_cast<std::uint32_t>(rows / 32), 1};
  launch.block = {32, 32, 1};
  launch.shared_bytes = 4096;
  launch.instructions = units * 30;
  launch.barriers = units;
  observed.launches = {launch};
  return execution;
}

inline device::Finding finding(device::FindingKind kind, std::uint32_t line, bool fatal) {
  device::Finding found;
  found.kind = kind;
  found.message = "what happened, on `tile`[5][32]";
  found.kernel = "transpose_tile";
  found.file = "2_pad.cu";
  found.line = line;
  found.fatal = fatal;
  return found;
}

// The same, ended by a finding.
inline Execution ended(Execution execution, const device::Finding& by) {
  execution.observed.status = device::Observation::Status::failed;
  execution.observed.reason = by.message;
  execution.observed.findings.push_back(by);
  return execution;
}

} // namespace course::judge::hand_made
