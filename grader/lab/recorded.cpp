#include "lab/recorded.hpp"

#include "lab/ending_faults.hpp"
#include "lab/plan_limits.hpp"

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

} // namespace

void HostCode::go_on_with(HostCode later) {
  if (!later.printed.empty()) printed = std::move(later.printed);
  if (later.not_freed) not_freed = later.not_freed;
  refused.insert(refused.end(), later.refused.begin(), later.refused.end());
  unsupported = std::move(later.unsupported);
  if (later.launch) launch = std::move(later.launch);
}

Recorded recorded(const Grading& grading, const CompiledFile& file, const Case& shape,
                  const runtime::Call& asked) {
  const auto& [exercise, submission, tools] = grading;
  auto recording = tools.record(file.built, asked);
  Recorded all{host_code(recording), {}, {}, recording.ends};
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
