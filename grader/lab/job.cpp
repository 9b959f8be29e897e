#include "lab/job.hpp"

#include "lab/ending_faults.hpp"
#include "lab/launcher.hpp"

namespace course::lab {
namespace {

// What the launch check found.
judge::Fault fault_of(const judge::Check& launch, const Exercise& exercise) {
  judge::endings::LaunchFails fault;
  fault.call = {name_of_launcher(exercise), launch.shape};
  if (const auto* refused = std::get_if<judge::facts::CallRefused>(&launch.facts)) {
    fault.refused = refused->call;
    fault.error = refused->error;
    fault.why = refused->why;
  }
  return fault;
}

} // namespace

std::variant<device::Job, judge::Fault> job_for(const Exercise& exercise, const Case& shape,
                                                const std::filesystem::path& source,
                                                const Tools& tools) {
  const auto result = tools.compile(source);
  if (const auto* refused = std::get_if<build::Rejected>(&result))
    return rejected(*refused, source.filename().string());
  return job_for(exercise, shape, std::get<build::Compiled>(result), tools);
}

std::variant<device::Job, judge::Fault> job_for(const Exercise& exercise, const Case& shape,
                                                const build::Compiled& built, const Tools& tools) {
  const Placement placement(shape.operands, tools.guard);
  auto recording = tools.record(built, call(exercise, shape, placement));
  if (auto fault = not_returned(recording, exercise, shape.shape, tools.limits))
    return std::move(*fault);
  const auto launch =
      check_launch(recording, exercise, shape.shape, takes_a_kernel(exercise, shape));
  if (launch.status == judge::Status::failed) return fault_of(launch, exercise);
  device::Job job;
  job.modules = built.modules;
  job.plan = std::move(recording.plan);
  job.instruction_budget = shape.instruction_budget;
  job.strict_acquires = exercise.strict_acquires;
  return job;
}

} // namespace course::lab
