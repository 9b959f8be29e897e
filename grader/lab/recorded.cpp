#include "lab/recorded.hpp"

#include "lab/ending_faults.hpp"
#include "lab/launcher.hpp"
#include "lab/plan_limits.hpp"

#include <bit>

namespace course::lab {
namespace {

judge::Check launch_check(const Grading& grading, const runtime::Recording& recording,
                          const Case& shape) {
  if (auto copies = check_copies(recording.plan, shape.shape)) return std::move(*copies);
  return check_launch(recording, grading.exercise, shape.shape,
                      takes_a_kernel(grading.exercise, shape));
}

HostCode host_code(const runtime::Recording& recording) {
  HostCode host;
  host.printed = recording.out + recording.err;
  if (recording.not_freed > 0) host.not_freed = {recording.not_freed, recording.bytes_not_freed};
  host.refused = recording.errors;
  host.unsupported = recording.unsupported;
  return host;
}

device::Job job_of(const Grading& grading, const CompiledFile& file, const Case& shape,
                   device::Plan plan) {
  device::Job job;
  job.modules = file.built.modules;
  for (auto& module : job.modules) module.source = file.code.source;
  job.plan = std::move(plan);
  job.instruction_budget = shape.instruction_budget;
  job.order = {device::Order::Kind::drawn, grading.submission.seed};
  job.strict_acquires = grading.exercise.strict_acquires;
  return job;
}

// Sizes are the same, since the arrays are.
std::vector<runtime::Call::Value> with_other_floats(std::vector<runtime::Call::Value> arguments) {
  using Kind = runtime::Call::Value::Kind;
  const auto other = [](auto number) { return number == 0 ? decltype(number)(1) : number / 2; };
  for (auto& [kind, bits] : arguments) {
    if (kind == Kind::f32)
      bits = std::bit_cast<std::uint32_t>(other(std::bit_cast<float>(std::uint32_t(bits))));
    if (kind == Kind::f64) bits = std::bit_cast<std::uint64_t>(other(std::bit_cast<double>(bits)));
  }
  return arguments;
}

} // namespace

void HostCode::go_on_with(HostCode later) {
  if (!later.printed.empty()) printed = std::move(later.printed);
  if (later.not_freed) not_freed = later.not_freed;
  refused.insert(refused.end(), later.refused.begin(), later.refused.end());
  unsupported = std::move(later.unsupported);
  if (later.launch) launch = std::move(later.launch);
}

Recorded recorded(const Grading& grading, const CompiledFile& file, const Case& shape,
                  const Placement& placement, bool after_another) {
  const auto& [exercise, submission, tools] = grading;
  auto asked = call(exercise, shape, placement);
  if (after_another) asked.before = with_other_floats(asked.arguments);
  auto recording = tools.record(file.built, asked);
  Recorded all{host_code(recording), {}, {}, recording.steps_before};
  if (const auto how = not_returned(recording, exercise, shape.shape, tools.limits)) {
    all.stop = Stop{judge::ended_by(*how)};
    return all;
  }
  all.host.launch = launch_check(grading, recording, shape);
  if (all.host.launch->status == judge::Status::failed) return all;
  if (weight(recording.plan) > shape.instruction_budget)
    all.stop = Stop{judge::ended_by(too_much_asked(exercise, shape.shape))};
  else
    all.job = job_of(grading, file, shape, std::move(recording.plan));
  return all;
}

} // namespace course::lab
