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

const char* const kOfWhich = "such a check says in `of` which requests it is about";

Made with_limit_beside(const OwnSettings& settings, CheckOf check) {
  if (!settings.also_of) return OwnCheck{std::move(check), {}};
  return OwnCheck{both(std::move(check), requests_within(settings.also_limit, *settings.also_of)),
                  {}};
}

Made of_requests(const OwnSettings& settings) {
  if (!settings.of) return kOfWhich;
  return with_limit_beside(settings, requests_within(settings.name, *settings.of));
}

Made of_passes(const OwnSettings& settings) {
  if (!settings.of) return kOfWhich;
  return OwnCheck{passes_within(settings.name, *settings.of), {}};
}

Made of_conflicts(const OwnSettings& settings) {
  if (settings.of)
    return with_limit_beside(settings, conflicts_within(settings.name, *settings.of));
  if (judge::check_kind(settings.name) != judge::CheckKind::conflicts) return kOfWhich;
  return with_limit_beside(settings, judge::check_conflicts);
}

Made of_exact_conflicts(const OwnSettings& settings) {
  if (!settings.of) return kOfWhich;
  return OwnCheck{conflicts_exactly(settings.name, *settings.of, settings.where), {}};
}

Made of_uses(const OwnSettings& settings) {
  return OwnCheck{[name = settings.name](judge::Executions executions) {
                    return judge::check_uses(name, executions);
                  },
                  {}};
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
  auto most = settings.up_to;
  if (most.size() == 1) most.resize(count, most.front());
  if (!most.empty() && most.size() != count)
    return fmt::format("`up_to` has a number for each of the {} answers, or one for all", count);
  for (std::size_t i = 0; i < most.size(); ++i)
    if (settings.answers[i] > static_cast<float>(most[i]))
      return fmt::format("answer {} is more than `up_to` allows", i + 1);
  const RightAnswers answers{{settings.answers.begin(), settings.answers.end()},
                             settings.at_least > 0 ? settings.at_least : count,
                             settings.is_measured,
                             std::move(most)};
  return OwnCheck{[name = settings.name, answers](judge::Executions executions) {
                    return check_answers(name, executions, answers);
                  },
                  [count](const device::Observation&, const Floats& out) {
                    return answers_given(std::span(out).last(std::min(count, out.size())));
                  }};
}

Made of_occupancy(const OwnSettings& settings) {
  const auto least = settings.at_least;
  const auto& gpu = model::default_gpu(); // of the course
  const auto which = judge::check_kind(settings.name);
  if (which == judge::CheckKind::blocks_per_sm)
    return OwnCheck{
        [&gpu, least](judge::Executions all) { return check_blocks_per_sm(gpu, all, least); }, {}};
  if (which == judge::CheckKind::warps_per_sm)
    return OwnCheck{
        [&gpu, least](judge::Executions all) { return check_warps_per_sm(gpu, all, least); }, {}};
  return "an occupancy is called blocks_per_sm or warps_per_sm";
}

// By the names that own_checks.hpp explains.
constexpr struct {
  std::string_view name;
  Made (*make)(const OwnSettings&);
} kKinds[] = {{"uses", of_uses},          {"requests", of_requests},
              {"passes", of_passes},      {"conflicts", of_conflicts},
              {"answers", of_answers},    {"exact_conflicts", of_exact_conflicts},
              {"occupancy", of_occupancy}};

} // namespace

Made own_check(const OwnSettings& settings) {
  for (const auto& kind : kKinds)
    if (kind.name == settings.kind) return kind.make(settings);
  return fmt::format("there are no checks of the kind `{}`", settings.kind);
}

} // namespace course::lab
