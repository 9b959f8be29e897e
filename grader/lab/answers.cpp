#include "lab/answers.hpp"

#include "judge/which_execution.hpp"

#include <fmt/format.h>

#include <cmath>

namespace course::lab {
namespace {

constexpr std::uint64_t kNoAnswer = UINT64_MAX;

std::string name_of_answer(std::size_t place) {
  return fmt::format("answer_{}", place);
}

judge::facts::Answered answered(const judge::Execution& execution, const RightAnswers& answers) {
  judge::facts::Answered found{{}, 0, answers.least, answers.measured, {}};
  for (std::size_t i = 0; i < answers.right.size(); ++i) {
    const auto at = execution.numbers.find(name_of_answer(i));
    bool given = at != execution.numbers.end() && at->second != kNoAnswer;
    if (given && i < answers.most.size() && at->second > answers.most[i]) {
      if (!found.too_large) found.too_large = {i, at->second, answers.most[i]};
      given = false;
    }
    found.said.push_back(given ? std::optional(at->second) : std::nullopt);
    found.right += given && at->second == answers.right[i];
  }
  return found;
}

} // namespace

Case::Numbers answers_given(std::span<const float> answers) {
  Case::Numbers numbers;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const float one = answers[i];
    const bool is_one = one >= 0 && one < 1e6f && one == std::floor(one);
    numbers[name_of_answer(i)] = is_one ? static_cast<std::uint64_t>(one) : kNoAnswer;
  }
  return numbers;
}

judge::Check check_answers(const std::string& name, judge::Executions executions,
                           const RightAnswers& answers) {
  const auto shown = judge::choose(executions, [&](const judge::Execution& execution) {
    const auto found = answered(execution, answers);
    return found.missing() > 0 || found.right < answers.least;
  });
  auto check = judge::start(name, executions, shown);
  if (check.status == judge::Status::not_measured) return check;
  // No measure: a limit would give answers away.
  check.facts = answered(*shown.execution, answers);
  return check;
}

} // namespace course::lab
