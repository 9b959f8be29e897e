#include "lab/reordered.hpp"

#include "judge/counts.hpp"
#include "lab/inputs.hpp"
#include "lab/one_execution.hpp"
#include "lab/other_orders.hpp"

#include <algorithm>

namespace course::lab {
namespace {

struct Tried {
  bool has_error;
  std::uint64_t instructions;
};

// What is kept has no limits of counts: counts are those of the first time. The second flavour's
// sums are exact, and its data's way is not followed. `known`: an error was found in another order.
Tried try_order(Reordered& all, const Grading& grading, const Rerun& rerun, const OtherOrder& other,
                bool known) {
  constexpr std::size_t kWhich = 1;
  auto job = rerun.job;
  job.order = other.order;
  const Placement placement(rerun.shape->operands, grading.tools.guard);
  auto execution = execute(grading, *rerun.shape, placement, job,
                           {kFlavours[kWhich], derive(grading.submission.seed, kWhich)});
  const std::uint64_t instructions = judge::count(execution.observed).instructions;
  const bool wrong = went_wrong(execution);
  if (!wrong && (known || !has_error(execution))) return {known, instructions};
  if (other.drawn && only_over_budget(execution.observed)) return {false, instructions};
  name_files(execution.observed);
  execution.shape.backwards = other.drawn == 0;
  execution.shape.drawn_order = other.drawn;
  if (other.drawn) execution.bounds = without_limits(rerun.shape->bounds.elements);
  if (wrong) all.unordered_shape = execution.shape;
  all.executions.push_back(std::move(execution));
  if (grading.tools.gpu)
    all.replays.push_back({rerun.shape, kFlavours[kWhich], without_inputs(job)});
  return {true, instructions};
}

std::uint64_t instructions_of(const std::vector<judge::Execution>& executions) {
  std::uint64_t all = 0;
  for (const auto& one : executions) all += judge::count(one.observed).instructions;
  return all;
}

} // namespace

// What is found in a drawn order is a race, and whether its result was right is luck: others are
// tried.
Reordered reordered(const Grading& grading, const Executed& executed) {
  constexpr std::uint64_t kLittle = 64; // of the grading, that many blocks may take
  const auto& [few, many] = executed.reruns;
  Reordered all;
  if (!few.shape || std::ranges::any_of(executed.executions, has_error)) return all;
  auto tried = try_order(all, grading, few, last_first(), false);
  if (!all.is_right() || tried.has_error) return all;
  const auto graded = instructions_of(executed.executions);
  const auto& drawn = many.shape && many.instructions * kLittle <= graded ? many : few;
  if (!drawn.order_matters) return all;
  std::uint64_t spent = 0;
  for (std::uint32_t number = 0; all.is_right() && draws_another(number, spent, graded);
       spent += tried.instructions)
    tried = try_order(all, grading, drawn, drawn_order(grading.submission.seed, ++number),
                      tried.has_error);
  return all;
}

} // namespace course::lab
