#include "lab/grade.hpp"

#include "lab/by_file.hpp"
#include "lab/by_solution.hpp"
#include "lab/called_again.hpp"
#include "lab/drawn.hpp"
#include "lab/measured_on_gpu.hpp"
#include "lab/not_graded.hpp"
#include "lab/reordered.hpp"
#include "lab/verdict_of.hpp"

#include <iterator>

namespace course::lab {
namespace {

// The shapes that are tried, each with its right answer and limits.
struct PreparedCases {
  std::vector<Case> cases;
  GiveReference give_reference;
  std::vector<std::string> unlimited; // checks whose limits are not known here
  std::optional<Stop> stop;
};

// Throws ReferenceFailed.
PreparedCases prepared_cases(const Grading& grading) {
  const auto& [exercise, submission, tools] = grading;
  PreparedCases all{cases_of(exercise, submission.seed),
                    reference_in_file(exercise, tools),
                    limits_unknown(exercise),
                    {}};
  for (auto& one : all.cases) all.give_reference(one);
  if (!all.unlimited.empty()) return all;
  if (auto how = ask_solution(exercise, all.cases, submission.seed, tools))
    all.stop = Stop{std::move(*how)};
  return all;
}

template <class All>
void append(std::vector<All>& to, std::vector<All> more) {
  to.insert(to.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
}

// Each stage goes on from what the ones before it found. Throws ReferenceFailed.
void find_evidence(Evidence& found, const Grading& grading) {
  auto prepared = prepared_cases(grading);
  found.unlimited = std::move(prepared.unlimited);
  found.stop = std::move(prepared.stop);
  if (found.stop) return;

  auto file = compiled_file(grading);
  found.warnings = file.built.warnings;
  found.code = file.code;
  found.stop = std::move(file.stop);
  if (found.stop) return;

  auto ran = executed(grading, prepared.cases, file);
  auto other = ran.is_right ? reordered(grading, ran) : Reordered{};
  auto twice = ran.is_right && other.is_right() ? called_again(grading, prepared.cases, ran, file)
                                                : CalledAgain{};
  found.stop = std::move(ran.is_right ? twice.stop : ran.stop);
  found.host = std::move(ran.host);
  if (!twice.is_right) found.host.go_on_with(std::move(twice.host));
  found.unordered_shape = ran.is_right ? other.unordered_shape : ran.unordered_shape;
  append(ran.executions, std::move(other.executions));
  append(ran.replays, std::move(other.replays));
  if (twice.wrong) ran.executions.push_back(std::move(*twice.wrong));
  found.executions = std::move(ran.executions);
  if (!ran.is_right || !other.is_right() || !twice.is_right || !grading.tools.gpu) return;

  auto measured =
      measured_on_gpu(grading, prepared.give_reference, ran.replays, std::move(found.executions));
  found.executions = std::move(measured.executions);
  found.means = std::move(measured.means);
  found.notes = std::move(measured.notes);
  found.time = std::move(measured.time);
  found.lacked = std::move(measured.lacked);
  found.stop = std::move(measured.stop);
}

} // namespace

judge::Verdict not_graded(const Exercise& exercise, const Submission& submission,
                          const judge::Means& means, const judge::EndedBy& how) {
  const Tools none;
  Evidence found;
  found.means = means;
  found.stop = Stop{how};
  return verdict_of({exercise, submission, none}, found);
}

judge::Verdict grade(const Exercise& exercise, const Submission& submission, const Tools& tools) {
  const Grading grading{exercise, submission, tools};
  Evidence found;
  found.means = tools.means;
  try {
    find_evidence(found, grading);
  } catch (const ReferenceFailed& failed) {
    found.stop = Stop{failed.how, failed.compiler};
  }
  return verdict_of(grading, found);
}

} // namespace course::lab
