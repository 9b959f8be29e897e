#include "lab/measured_on_gpu.hpp"

#include "judge/counts.hpp"
#include "lab/by_file.hpp"
#include "lab/job.hpp"
#include "lab/one_execution.hpp"
#include "lab/other_gpu.hpp"
#include "lab/proofs.hpp"

#include <algorithm>
#include <future>

namespace course::lab {
namespace {

using Note = judge::Means::Note;

MakePlan plans_of(const Grading& grading) {
  return [&](const std::filesystem::path& source, const Case& shape) {
    return job_for(grading.exercise, shape, source, grading.tools);
  };
}

// Whether the course's own solution can be timed on that GPU: without it nobody's work is.
std::optional<judge::NotOnGpu> lack_of_solution(const Grading& grading) {
  const auto& exercise = grading.exercise;
  const auto& gpu = *grading.tools.gpu;
  if (!exercise.time || gpu.ability.is_as_emulated()) return {};
  const auto job = plans_of(grading)(exercise.solution, exercise.time->shape());
  if (!std::holds_alternative<device::Job>(job)) return {}; // which is said where it is timed
  auto found = lack(gpu.ability, std::get<device::Job>(job));
  if (found) found->solution = true;
  return found;
}

Stop not_timeable(judge::NotOnGpu why) {
  return {judge::endings::NotTimeable{std::move(why)}};
}

// The GPU had no part in it: what the emulated device did is what was done.
void leave_out_gpu(OnGpu& found, const Grading& grading, judge::NotOnGpu why) {
  const auto solution = lack_of_solution(grading);
  if (grading.exercise.time && !solution && !grading.tools.gpu->grades_without_time) {
    found.stop = not_timeable(std::move(why));
    return;
  }
  found.means.device = grading.tools.device->name();
  found.means.note = Note::not_on_gpu;
  found.notes.push_back(why);
  found.lacked = std::move(why);
}

std::uint64_t shared_bytes(const std::vector<judge::Execution>& executions) {
  std::uint64_t most = 0;
  for (const auto& one : executions) most = std::max(most, judge::count(one.observed).shared_bytes);
  return most;
}

void time_on_gpu(OnGpu& found, const Grading& grading, TimedInputs inputs) {
  const auto& gpu = *grading.tools.gpu;
  const auto timing = time_launcher(grading.exercise, grading.submission.file, std::move(inputs),
                                    plans_of(grading), gpu);
  const auto* lacks = std::get_if<judge::NotOnGpu>(&timing.invalid);
  if (!lacks) {
    found.time = judge::check_time(timing);
  } else if (lacks->solution || gpu.grades_without_time) {
    found.notes.push_back(*lacks);
    found.lacked = *lacks;
  } else {
    found.stop = not_timeable(*lacks);
  }
}

// False: the GPU refused, and has no part in it.
bool count_on_gpu(OnGpu& found, const Grading& grading, const std::vector<Replay>& replays) {
  const auto& gpu = *grading.tools.gpu;
  const auto measured = measure(replays, found.executions, gpu);
  if (!measured.refused.empty()) {
    leave_out_gpu(found, grading, refused_by_driver(gpu.ability, measured.refused));
    return false;
  }
  found.notes.insert(found.notes.end(), measured.notes.begin(), measured.notes.end());
  found.means.note = !gpu.ability.is_as_emulated() ? Note::other_rules
                     : measured.by_instruction     ? Note::counts_by_gpu
                                                   : Note::all_emulated;
  if (!measured.not_counted.empty())
    found.notes.push_back(judge::facts::NotByInstruction{measured.not_counted});
  return true;
}

} // namespace

OnGpu measured_on_gpu(const Grading& grading, const GiveReference& give_reference,
                      const std::vector<Replay>& replays,
                      std::vector<judge::Execution> executions) {
  const auto& exercise = grading.exercise;
  OnGpu found{std::move(executions), grading.tools.means, {}, {}, {}, {}};
  if (!replays.empty()) {
    const auto bytes = shared_bytes(found.executions);
    if (auto why = lack(grading.tools.gpu->ability, replays.front().job, bytes)) {
      leave_out_gpu(found, grading, std::move(*why));
      return found;
    }
  }
  std::future<TimedInputs> inputs; // are made while the GPU counts
  if (exercise.time)
    inputs = std::async(std::launch::async, [&] {
      return timed_inputs(exercise, grading.submission.seed, give_reference);
    });
  if (!count_on_gpu(found, grading, replays) || !exercise.time ||
      std::ranges::any_of(found.executions, went_wrong))
    return found;
  try {
    time_on_gpu(found, grading, inputs.get());
  } catch (const ReferenceFailed& failed) { // of the timed shape: what was counted is judged
    found.stop = Stop{failed.how, failed.compiler};
  }
  return found;
}

} // namespace course::lab
