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

std::uint64_t answer_in(const judge::Execution& execution, std::size_t place) {
  const auto found = execution.numbers.find(name_of_answer(place));
  return found == execution.numbers.end() ? kNoAnswer : found->second;
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

judge::Check check_answer(const std::string& name, judge::Executions executions,
                          const Answer& answer) {
  const auto shown = judge::choose(executions, [&](const judge::Execution& execution) {
    return answer_in(execution, answer.place) != answer.right;
  });
  auto check = judge::start(name, executions, shown);
  if (check.status == judge::Status::not_measured) return check;
  const auto said = answer_in(*shown.execution, answer.place);
  // No measure: a limit would give the answer away.
  check.facts = judge::facts::Answered{said != kNoAnswer, said == answer.right, answer.measured};
  return check;
}

} // namespace course::lab
