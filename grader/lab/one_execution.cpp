#include "lab/one_execution.hpp"

#include "judge/which_execution.hpp"
#include "lab/launcher.hpp"
#include "lab/ways.hpp"

#include <algorithm>

namespace course::lab {
namespace {

bool is_noted(const device::Finding& finding) {
  return device::is_note(finding.kind);
}

} // namespace

judge::Execution execute(const Grading& grading, const Case& shape, const Placement& placement,
                         device::Job& job, InputsOf which) {
  const auto inputs = shape.inputs(which.flavour, which.seed);
  job.buffers = placement.buffers(inputs);
  judge::Execution execution;
  execution.shape = shape.shape;
  execution.drawn_shape = shape.drawn;
  execution.seed = which.seed;
  execution.shared_kib = shape.shared_kib;
  execution.bounds = shape.bounds;
  execution.observed = grading.tools.device->execute(job);
  auto& observed = execution.observed;
  if (observed.status == device::Observation::Status::completed) {
    const auto output = output_of(shape);
    execution.output_name = shape.operands[output].name;
    execution.output = compare_output(shape, placement, inputs, observed.buffers);
    if (shape.numbers)
      execution.numbers = shape.numbers(observed, placement.values(observed.buffers, output));
    if (shape.followed && which.flavour == kFlavours[0]) // it does not depend on values
      follow(execution, shape, placement, job, grading.tools.follower);
    execution.damage = placement.damage(job.buffers, observed.buffers);
  }
  observed.buffers.clear();
  return execution;
}

bool has_error(const judge::Execution& execution) {
  return !std::ranges::all_of(execution.observed.findings, is_noted);
}

bool went_wrong(const judge::Execution& execution) {
  return !judge::complete(execution) || !execution.output.passed();
}

bool only_over_budget(const device::Observation& observed) {
  const auto& found = observed.findings;
  const auto over = [](const device::Finding& one) {
    return is_noted(one) || one.kind == device::FindingKind::budget;
  };
  return std::ranges::all_of(found, over) && !std::ranges::all_of(found, is_noted);
}

judge::Bounds without_limits(std::uint64_t elements) {
  judge::Bounds bounds;
  bounds.elements = elements;
  bounds.conflicts = judge::Measure::kNoLimit;
  return bounds;
}

device::Job without_inputs(const device::Job& job) {
  device::Job copy;
  copy.modules = job.modules;
  copy.plan = job.plan;
  copy.instruction_budget = job.instruction_budget;
  return copy;
}

void name_files(device::Observation& observed) {
  const auto plain = [](std::string& file) {
    file = std::filesystem::path(file).filename().string();
  };
  for (auto& line : observed.lines) plain(line.file);
  for (auto& finding : observed.findings) plain(finding.file);
}

} // namespace course::lab
