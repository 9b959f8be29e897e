#include "lab/called_again.hpp"

#include "lab/inputs.hpp"
#include "lab/one_execution.hpp"

#include <algorithm>
#include <utility>

namespace course::lab {
namespace {

void upload(std::vector<device::Step>& to, const std::vector<device::Buffer>& buffers) {
  for (const auto& buffer : buffers) to.emplace_back(device::Upload{buffer.address, buffer.bytes});
  to.emplace_back(device::StreamCall{device::StreamCall::What::host_waits_for_all});
}

// Both calls, each after its own numbers have come into the arrays.
device::Plan with_inputs(device::Plan plan, std::size_t steps_before,
                         const std::vector<device::Buffer>& first,
                         const std::vector<device::Buffer>& second) {
  const auto middle = plan.steps.begin() + static_cast<std::ptrdiff_t>(steps_before);
  device::Plan whole;
  upload(whole.steps, first);
  std::move(plan.steps.begin(), middle, std::back_inserter(whole.steps));
  upload(whole.steps, second);
  std::move(middle, plan.steps.end(), std::back_inserter(whole.steps));
  return whole;
}

} // namespace

CalledAgain called_again(const Grading& grading, const Executed& executed,
                         const CompiledFile& file) {
  CalledAgain all;
  const Case* cheapest = executed.reruns.few.shape;
  if (!cheapest || !grading.exercise.called_again ||
      std::ranges::any_of(executed.executions, has_error))
    return all;
  Case shape = *cheapest;
  shape.shape.again = true;
  const Placement placement(shape.operands, grading.tools.guard);
  auto twice = recorded(grading, file, shape, placement, true);
  if (!twice.job) return {std::move(twice.host), std::move(twice.stop), {}, false};
  if (twice.steps_before == 0 || twice.steps_before > twice.job->plan.steps.size()) return all;

  const auto which = [&](std::size_t i) {
    return InputsOf{kFlavours[i], derive(grading.submission.seed, i)};
  };
  const auto buffers = [&](const InputsOf& of) {
    return placement.buffers(shape.inputs(of.flavour, of.seed));
  };
  auto& job = *twice.job;
  job.plan =
      with_inputs(std::move(job.plan), twice.steps_before, buffers(which(0)), buffers(which(1)));
  job.instruction_budget *= 2;
  auto execution = execute(grading, shape, placement, job, which(1));
  if (!went_wrong(execution) && !has_error(execution)) return all;
  name_files(execution.observed);
  execution.bounds = without_limits(shape.bounds.elements); // counts are those of one call
  all.wrong = std::move(execution);
  all.is_right = false;
  return all;
}

} // namespace course::lab
