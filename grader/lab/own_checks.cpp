#include "lab/own_checks.hpp"

#include "judge/limits.hpp"
#include "judge/uses.hpp"
#include "judge/which_execution.hpp"
#include "lab/answers.hpp"
#include "lab/occupancy_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace course::lab {
namespace {

using Made = std::variant<OwnCheck, std::string>;

Made of_requests(const OwnSettings& settings) {
  const bool all_conflicts = settings.kind == "conflicts" && settings.name == "conflicts";
  if (!settings.of && !all_conflicts) return "such a check says in `of` which requests it is about";
  const auto kind = settings.of.value_or(Kind::shared_memory);
  if (settings.kind == "exact_conflicts")
    return OwnCheck{conflicts_exactly(settings.name, kind, settings.where), {}};
  if (settings.kind == "passes") return OwnCheck{passes_within(settings.name, kind), {}};
  auto check = !settings.of                   ? CheckOf(judge::check_conflicts)
               : settings.kind == "conflicts" ? conflicts_within(settings.name, kind)
                                              : requests_within(settings.name, kind);
  if (!settings.also_of) return OwnCheck{check, {}};
  return OwnCheck{both(check, requests_within(settings.also_limit, *settings.also_of)), {}};
}

Made of_answers(const OwnSettings& settings) {
  if (!settings.is_known)
    return OwnCheck{[name = settings.name](judge::Executions) {
                      return judge::unmeasured(name, judge::facts::Missing::no_table);
                    },
                    {}};
  const auto count = settings.answers.size();
  if (count == 0 || std::ranges::any_of(settings.answers, [](float one) { return one < 0; }))
    return "answers are whole numbers, a list of formulas that `answers` or `reference` is";
  if (settings.at_least > count)
    return fmt::format("`at_least` is more than the {} answers that there are", count);
  const RightAnswers answers{{settings.answers.begin(), settings.answers.end()},
                             settings.at_least > 0 ? settings.at_least : count,
                             settings.is_measured};
  return OwnCheck{[name = settings.name, answers](judge::Executions executions) {
                    return check_answers(name, executions, answers);
                  },
                  [count](const device::Observation&, const Floats& out) {
                    return answers_given(std::span(out).last(std::min(count, out.size())));
                  }};
}

Made of_occupancy(const OwnSettings& settings) {
  const auto least = settings.at_least; // on the GPU of the course
  const auto& sm = model::default_gpu().multiprocessor;
  const auto numbers = [&sm](const device::Observation& observed, const Floats&) {
    return occupancy_numbers(sm, observed);
  };
  if (settings.name == "blocks_per_sm")
    return OwnCheck{
        [&sm, least](judge::Executions all) { return check_blocks_per_sm(sm, all, least); },
        numbers};
  if (settings.name == "warps_per_sm")
    return OwnCheck{
        [&sm, least](judge::Executions all) { return check_warps_per_sm(sm, all, least); },
        numbers};
  return "an occupancy is called blocks_per_sm or warps_per_sm";
}

} // namespace

Made own_check(const OwnSettings& settings) {
  const auto& kind = settings.kind;
  if (kind == "requests" || kind == "passes" || kind == "conflicts" || kind == "exact_conflicts")
    return of_requests(settings);
  if (kind == "uses")
    return OwnCheck{[name = settings.name](judge::Executions executions) {
                      return judge::check_uses(name, executions);
                    },
                    {}};
  if (kind == "answers") return of_answers(settings);
  if (kind == "occupancy") return of_occupancy(settings);
  return fmt::format("there are no checks of the kind `{}`", kind);
}

} // namespace course::lab
