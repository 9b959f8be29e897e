#include "lab/occupancy_checks.hpp"

#include "device/model/occupancy.hpp"
#include "judge/which_execution.hpp"

namespace course::lab {
namespace {

using Limits = model::MultiprocessorLimits;

model::Occupancy fitting(const Limits& sm, const device::LaunchCounts& launch) {
  return model::occupancy({static_cast<std::int64_t>(launch.block.count()),
                           static_cast<int>(launch.registers), launch.shared_bytes},
                          sm);
}

// As the execution's host code was told it is.
Limits multiprocessor(const model::Gpu& gpu, const judge::Execution& execution) {
  const auto kib = execution.shared_kib;
  return kib ? gpu.with_shared_memory(kib).multiprocessor : gpu.multiprocessor;
}

// Of the launch of which the fewest fit.
struct Least {
  const device::LaunchCounts* launch = nullptr;
  model::Occupancy fits;
};

Least least_fitting(const Limits& sm, const device::Observation& observed,
                    int model::Occupancy::*count) {
  Least least;
  for (const auto& launch : observed.launches) {
    const auto fits = fitting(sm, launch);
    if (!least.launch || fits.*count < least.fits.*count) least = {&launch, fits};
  }
  return least;
}

judge::Check at_least(const model::Gpu& gpu, const std::string& name, int model::Occupancy::*count,
                      judge::Executions executions, std::uint64_t least) {
  const auto fitting = [&](const judge::Execution& execution) {
    return least_fitting(multiprocessor(gpu, execution), execution.observed, count);
  };
  const auto measure = [&](const judge::Execution& execution) {
    const auto value = static_cast<std::uint64_t>(fitting(execution).fits.*count);
    const bool nothing_to_do = execution.bounds.elements == 0;
    return judge::Measure{name, value, nothing_to_do ? 0 : least, judge::Measure::kNoLimit};
  };
  const auto shown = judge::choose(
      executions, [&](const judge::Execution& execution) { return !measure(execution).holds(); });
  auto check = judge::start(name, executions, shown);
  if (check.status == judge::Status::not_measured) return check;
  check.measures = {measure(*shown.execution)};
  judge::facts::Occupied found;
  found.room = multiprocessor(gpu, *shown.execution);
  found.least = least;
  found.warps = count == &model::Occupancy::warps;
  const auto launched = fitting(*shown.execution);
  if (check.status == judge::Status::failed && launched.launch) {
    found.limit = launched.fits.limit;
    found.threads = launched.launch->block.count();
    found.registers = launched.launch->registers;
    found.shared_bytes = launched.launch->shared_bytes;
    if (!shown.execution->shared_kib) check.shape = {}; // it is about a block, whatever the shape
  }
  check.facts = found;
  return check;
}

} // namespace

judge::Check check_blocks_per_sm(const model::Gpu& gpu, judge::Executions executions,
                                 std::uint64_t least) {
  return at_least(gpu, "blocks_per_sm", &model::Occupancy::blocks, executions, least);
}

judge::Check check_warps_per_sm(const model::Gpu& gpu, judge::Executions executions,
                                std::uint64_t least) {
  return at_least(gpu, "warps_per_sm", &model::Occupancy::warps, executions, least);
}

} // namespace course::lab
