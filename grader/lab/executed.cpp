#include "lab/executed.hpp"

#include "judge/correctness.hpp"
#include "judge/which_execution.hpp"
#include "lab/by_file.hpp"
#include "lab/inputs.hpp"
#include "lab/launcher.hpp"
#include "lab/one_execution.hpp"
#include "lab/side_notes.hpp"

#include <algorithm>

namespace course::lab {
namespace {

// Whether what went wrong, with nothing found, is right where blocks come by their index.
bool right_by_index(const Grading& grading, const Case& shape, const Placement& placement,
                    device::Job job, const judge::Execution& wrong, Flavour flavour) {
  const auto several = [](const device::LaunchCounts& launch) { return launch.grid.count() > 1; };
  if (!judge::complete(wrong) || has_error(wrong) ||
      std::ranges::none_of(wrong.observed.launches, several))
    return false;
  job.order = {};
  return !went_wrong(execute(grading, shape, placement, job, {flavour, wrong.seed}));
}

// Each flavour of inputs, until one goes wrong.
void execute_flavours(Executed& all, const Grading& grading, const CompiledFile& file,
                      const Case& shape, const Placement& placement, device::Job job) {
  for (std::size_t i = 0; i < kFlavours.size(); ++i) {
    const InputsOf inputs{kFlavours[i], derive(grading.submission.seed, i)};
    auto& execution = all.executions.emplace_back(execute(grading, shape, placement, job, inputs));
    name_files(execution.observed);
    name_constant_store(execution.observed, file.built.warnings, grading.file());
    if (grading.tools.gpu) all.replays.push_back({&shape, kFlavours[i], without_inputs(job)});
    if (!went_wrong(execution)) continue;
    if (right_by_index(grading, shape, placement, job, execution, kFlavours[i]))
      all.unordered_shape = shape.shape;
    all.is_right = false;
    return;
  }
  job.buffers.clear();
  all.reruns.consider(shape, job, all.executions.back());
}

void try_shape(Executed& all, const Grading& grading, const CompiledFile& file, const Case& shape) {
  const Placement placement(shape.operands, grading.tools.guard);
  auto host = recorded(grading, file, shape, call(grading.exercise, shape, placement));
  all.host.go_on_with(std::move(host.host));
  all.stop = std::move(host.stop);
  all.is_right = host.job.has_value();
  if (host.job) execute_flavours(all, grading, file, shape, placement, std::move(*host.job));
}

// How much more a shape may have than those that took many times the work: at more a kernel would
// be ended, as what it takes may grow faster than the shape, and that says less.
constexpr std::uint64_t kMoreOfTooMuch = 8;

bool would_be_ended(const std::vector<judge::Execution>& executions, const Case& shape) {
  return judge::check_kernel(executions).status == judge::Status::failed &&
         std::ranges::all_of(executions, [&](const judge::Execution& one) {
           return one.bounds.elements * kMoreOfTooMuch < shape.bounds.elements;
         });
}

} // namespace

Executed executed(const Grading& grading, const std::vector<Case>& cases,
                  const CompiledFile& file) {
  Executed all;
  try {
    for (const auto& shape : cases) {
      if (would_be_ended(all.executions, shape)) continue;
      try_shape(all, grading, file, shape);
      if (!all.is_right) break;
    }
  } catch (const ReferenceFailed& failed) { // what was executed before that is judged
    all.stop = Stop{failed.how, failed.compiler};
    all.is_right = false;
  }
  return all;
}

} // namespace course::lab
