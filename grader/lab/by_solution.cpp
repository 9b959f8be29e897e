#include "lab/by_solution.hpp"

#include "judge/counts.hpp"
#include "judge/limits.hpp"
#include "lab/cost.hpp"
#include "lab/ending_faults.hpp"
#include "lab/inputs.hpp"
#include "lab/job.hpp"
#include "lab/launcher.hpp"
#include "lab/limit_names.hpp"
#include "lab/placement.hpp"
#include "lab/row_sectors.hpp"

#include <algorithm>
#include <functional>
#include <memory>

namespace course::lab {
namespace {

// One launch of the solution, to be executed for any inputs.
struct Asked {
  Placement placement;
  device::Job job;
  std::size_t output;
  device::Device* device;

  device::Observation execute(const std::vector<Floats>& inputs) const {
    auto with_inputs = job;
    with_inputs.buffers = placement.buffers(inputs);
    return device->execute(with_inputs);
  }
};

// A limit is what the solution took, and room. Traffic has more of it: a part may stay in
// registers, and some may be read again.
void allow(std::uint64_t& most, std::uint64_t took) {
  most = with_room(took);
}
void allow(judge::Range& range, const judge::Traffic& took) {
  range = {took.ideal / 2, took.ideal + ceil_div(took.ideal, 2)};
}
void allow(judge::GlobalBound& most, const judge::Traffic& took) {
  most = {took.requests, with_room(took.sectors)};
}
void allow(judge::Cost& most, const judge::Cost& took) {
  most = many_times(took.instructions, took.requests);
}

void set_limits(judge::Bounds& bounds, const std::string& check, const judge::Counts& counts) {
  for (const auto& name : limits_of_check(check)) {
    const auto set = [&](auto bound, auto counted) {
      allow(bounds.*bound, std::invoke(counted, counts));
    };
    if (with_limit(name, set)) continue;
    if (const auto value = judge::counted_number(counts, name))
      bounds.others[name] = {0, with_room(*value)};
  }
}

judge::Fault what_ended(const device::Observation& observed) {
  if (observed.status == device::Observation::Status::unsupported)
    return judge::endings::NotExecutable{observed.reason};
  for (const auto& finding : observed.findings)
    if (finding.fatal) return judge::endings::KernelEnded{finding.message};
  return judge::endings::KernelEnded{observed.reason};
}

// Or what went wrong.
std::optional<judge::Fault> ask(const Exercise& exercise, Case& one, std::uint64_t seed,
                                const build::Compiled& built, const Tools& tools) {
  auto job = job_for(exercise, one, built, tools);
  if (auto* fault = std::get_if<judge::Fault>(&job)) return std::move(*fault);
  const auto asked = std::make_shared<Asked>(Asked{Placement(one.operands, tools.guard),
                                                   std::get<device::Job>(std::move(job)),
                                                   output_of(one), tools.device});
  const auto observed = asked->execute(one.inputs(kFlavours[0], seed));
  if (observed.status != device::Observation::Status::completed) return what_ended(observed);
  const auto counts = judge::count(observed);
  for (const auto& check : one.by_solution) set_limits(one.bounds, check, counts);
  if (!one.reference)
    one.reference = [asked](const std::vector<Floats>& inputs) {
      return asked->placement.values(asked->execute(inputs).buffers, asked->output);
    };
  return std::nullopt;
}

} // namespace

bool is_answered_by_solution(const Exercise& exercise) {
  return std::ranges::count(exercise.cases.front().by_solution,
                            judge::name_of(judge::CheckKind::output)) != 0;
}

std::vector<std::string> limits_unknown(const Exercise& exercise) {
  std::error_code error;
  if (is_answered_by_solution(exercise) || std::filesystem::exists(exercise.solution, error))
    return {};
  return exercise.cases.front().by_solution;
}

std::optional<judge::EndedBy> ask_solution(const Exercise& exercise, std::vector<Case>& cases,
                                           std::uint64_t seed, const Tools& tools) {
  const auto asks = [](const Case& one) { return !one.by_solution.empty(); };
  if (std::ranges::none_of(cases, asks)) return std::nullopt;
  const auto name = exercise.solution.filename().string();
  auto result = tools.compile(exercise.solution);
  if (const auto* refused = std::get_if<build::Rejected>(&result))
    return judge::endings::SolutionFails{name, "", rejected(*refused, name)};
  const auto& built = std::get<build::Compiled>(result);
  for (auto& one : cases) {
    if (!asks(one)) continue;
    if (const auto why = ask(exercise, one, seed, built, tools))
      return judge::endings::SolutionFails{name, one.shape, *why};
  }
  return std::nullopt;
}

} // namespace course::lab
