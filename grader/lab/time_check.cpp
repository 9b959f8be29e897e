#include "lab/time_check.hpp"

#include "judge/limits.hpp"
#include "judge/which_execution.hpp"
#include "lab/one_execution.hpp"
#include "lab/times.hpp"

#include <algorithm>

namespace course::lab {
namespace {

using judge::facts::Missing;

// What can be said of time all the same, where what was executed is right.
judge::Check time_without_gpu(const Grading& grading, const Evidence& found,
                              const std::vector<judge::Check>& judged) {
  const bool other = found.lacked || grading.tools.means.note == judge::Means::Note::old_gpu;
  auto check = judge::impossible(judge::name_of(judge::CheckKind::time),
                                 other ? Missing::needs_other_gpu : Missing::needs_gpu);
  const auto& exercise = grading.exercise;
  const auto wrong = [](const judge::Execution& one) { return went_wrong(one) || has_error(one); };
  if (found.executions.empty() || std::ranges::any_of(found.executions, wrong)) return check;
  std::vector<std::string> failed;
  for (const auto& one : judged)
    if (one.status == judge::Status::failed) failed.push_back(one.name);
  if (auto untimed_here =
          untimed(exercise, timed_files(exercise.root, exercise.id, *grading.tools.emulated),
                  failed, found.executions, *grading.tools.emulated)) {
    untimed_here->other_gpu = other;
    check.facts = std::move(*untimed_here);
  }
  return check;
}

} // namespace

judge::Check time_check(const Grading& grading, const Evidence& found,
                        const std::vector<judge::Check>& judged) {
  if (found.time) return *found.time;
  if (!grading.tools.gpu || found.lacked) return time_without_gpu(grading, found, judged);
  if (!grading.exercise.time)
    return judge::impossible(judge::name_of(judge::CheckKind::time), Missing::not_limited);
  return judge::unmeasured(judge::name_of(judge::CheckKind::time), Missing::rest_first);
}

} // namespace course::lab
