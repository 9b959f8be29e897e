#include "lab/verdict_of.hpp"

#include "judge/limits.hpp"
#include "judge/which_execution.hpp"
#include "lab/drawn.hpp"
#include "lab/ending_faults.hpp"
#include "lab/judged.hpp"
#include "lab/side_notes.hpp"

#include <algorithm>

namespace course::lab {
namespace {

using judge::Ending;
using judge::Status;

void conclude(judge::Verdict& verdict, judge::EndedBy how) {
  verdict.ending = judge::ending_of(how);
  verdict.ended = std::move(how);
}

// Of what was graded, and how that ended, with nothing judged.
judge::Verdict unjudged(const Grading& grading, const Evidence& found) {
  const auto& [exercise, submission, tools] = grading;
  judge::Verdict verdict;
  verdict.exercise = exercise.id;
  verdict.file = grading.file();
  verdict.seed = submission.seed;
  verdict.shapes = cases_of(exercise, submission.seed).size();
  verdict.seeds = kFlavours.size();
  verdict.means = found.means;
  verdict.ending = Ending::passed;
  verdict.compiler = found.stop ? found.stop->compiler.value_or(found.warnings) : found.warnings;
  if (found.stop) conclude(verdict, found.stop->how);
  return verdict;
}

// What is said beside the point.
void add_notes(judge::Verdict& verdict, const Evidence& found) {
  auto& notes = verdict.notes;
  if (found.host.not_freed) notes.push_back(*found.host.not_freed);
  notes.insert(notes.end(), found.notes.begin(), found.notes.end());
  if (verdict.ending == Ending::passed)
    note_removed(device::removed_arrays(found.code), verdict.checks, notes);
  const auto& launch = found.host.launch;
  if (!launch || launch->status != Status::failed) // a failed launch names the first itself
    note_refusals(found.host.refused, notes);
}

std::optional<judge::WrongOutput> wrong_output(const std::vector<judge::Check>& checks,
                                               const Evidence& found) {
  const auto* check = judge::find(checks, judge::CheckKind::output);
  if (!check || check->status != Status::failed) return {};
  for (const auto& execution : found.executions) {
    if (execution.shape != check->shape || execution.output.passed()) continue;
    return judge::WrongOutput{execution.output_name, execution.shape, execution.seed,
                              execution.output};
  }
  return {};
}

bool are_notes(const std::vector<device::Finding>& findings) {
  return std::ranges::all_of(findings,
                             [](const auto& finding) { return device::is_note(finding.kind); });
}

void show_executions(judge::Verdict& verdict, const Evidence& found) {
  verdict.lines = judge::lines(found.executions);
  const judge::Execution* shown = nullptr;
  std::string printed;
  for (const auto& execution : found.executions) {
    if (!shown || judge::goes_before(execution, *shown)) shown = &execution;
    const auto& findings = execution.observed.findings; // the first that are not all notes
    if (are_notes(verdict.findings) && (verdict.findings.empty() || !are_notes(findings)))
      verdict.findings = findings;
    if (printed.empty()) printed = execution.observed.printed;
  }
  verdict.printed = found.host.printed + printed; // host code's words come first
  if (shown) verdict.launches = shown->observed.launches;
}

// An ending of its own where the failure is not a matter of right and wrong.
void name_ending(judge::Verdict& verdict, const Evidence& found) {
  namespace endings = judge::endings;
  for (const auto& execution : found.executions) {
    const auto& observed = execution.observed;
    if (observed.status == device::Observation::Status::unsupported) {
      conclude(verdict, endings::NotExecutable{observed.reason});
      return;
    }
    for (const auto& finding : observed.findings) {
      if (finding.kind == device::FindingKind::budget) verdict.ending = Ending::timed_out;
    }
  }
  const auto& unsupported = found.host.unsupported;
  if (unsupported.empty()) return;
  if (verdict.ending == Ending::passed) {
    verdict.notes.push_back(judge::facts::Ignored{unsupported.front()});
  } else if (verdict.ending == Ending::failed) {
    conclude(verdict, judge::ended_by(unanswered(unsupported.front())));
  }
}

} // namespace

judge::Verdict verdict_of(const Grading& grading, const Evidence& found) {
  const auto& exercise = grading.exercise;
  auto verdict = unjudged(grading, found);
  verdict.checks = judged(grading, found);
  add_notes(verdict, found);
  verdict.wrong = wrong_output(verdict.checks, found);
  verdict.mentioned = mentioned(grading, found);
  show_executions(verdict, found);
  judge::settle(verdict);
  name_ending(verdict, found);
  if (verdict.ended) find_line(*verdict.ended, found.code.source);
  judge::settle(verdict); // by the ending that it has now
  if (verdict.ending == Ending::passed) verdict.explanation = exercise.explanation;
  if (exercise.time && (verdict.ending == Ending::passed || judge::tells_less_time(verdict)))
    verdict.does_not_pay = exercise.time->does_not_pay;
  return verdict;
}

} // namespace course::lab
