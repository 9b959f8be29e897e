#include "lab/predict.hpp"

#include "device/model/shared.hpp"
#include "judge/which_execution.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace course::lab {
namespace {

constexpr std::uint64_t kNoPrediction = UINT64_MAX;
constexpr std::uint64_t kMostConflicts = 31; // of 32 lanes with a word each

Question question(const std::string& check, const std::string& read, int width,
                  const std::function<int(int)>& byte_of_lane) {
  Question row{check, read, {}};
  row.request.width = width;
  for (int lane = 0; lane < model::kLanes; ++lane)
    row.request.offset[lane] = static_cast<std::uint32_t>(byte_of_lane(lane));
  return row;
}

Question stride(int words) {
  const auto factor = words == 1 ? "lane" : std::to_string(words) + " * lane";
  return question("stride_" + std::to_string(words), "word[" + factor + "]", 4,
                  [words](int lane) { return 4 * words * lane; });
}

std::array<Question, 13> table() {
  return {stride(1),
          stride(2),
          stride(3),
          stride(4),
          stride(32),
          stride(33),
          question("broadcast", "word[5]", 4, [](int) { return 20; }),
          question("two_words", "word[lane % 2 * 32]", 4, [](int lane) { return lane % 2 * 128; }),
          question("char", "letter[lane]", 1, [](int lane) { return lane; }),
          question("double", "number[lane]", 8, [](int lane) { return 8 * lane; }),
          question("float4", "quad[lane]", 16, [](int lane) { return 16 * lane; }),
          question("pair", "pair[lane].x", 4, [](int lane) { return 8 * lane; }),
          question("triple", "triple[lane].x", 4, [](int lane) { return 12 * lane; })};
}

std::uint64_t number(const judge::Execution& execution, const std::string& name) {
  const auto found = execution.numbers.find(name);
  return found == execution.numbers.end() ? kNoPrediction : found->second;
}

} // namespace

std::span<const Question> questions() {
  static const auto rows = table();
  return rows;
}

int conflicts(const Question& row) {
  return model::shared_passes(row.request).conflicts();
}

Case::Numbers predictions(const Floats& output) {
  Case::Numbers numbers;
  const auto rows = questions();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool possible = i < output.size() && output[i] >= 0 && output[i] < 1'000'000;
    numbers[rows[i].check] = possible ? static_cast<std::uint64_t>(output[i]) : kNoPrediction;
  }
  return numbers;
}

judge::Check check_prediction(const Question& row, judge::Executions executions) {
  const auto answer = static_cast<std::uint64_t>(conflicts(row));
  const auto shown = judge::choose(executions, [&](const judge::Execution& execution) {
    return number(execution, row.check) != answer;
  });
  auto check = judge::start(row.check, executions, shown);
  if (check.status == judge::Status::not_measured) return check;
  const auto predicted = number(*shown.execution, row.check);
  check.measures = {{"conflicts", predicted, answer, answer}};
  using Verdict = judge::facts::Predicted::Verdict;
  const auto found = [&](Verdict verdict) {
    const auto said = predicted == kNoPrediction ? std::nullopt : std::optional(predicted);
    return judge::facts::Predicted{row.read, questions().size(), said, verdict};
  };
  if (predicted == kNoPrediction || check.status == judge::Status::passed) {
    check.facts = found(Verdict::right);
  } else { // which way it is wrong, and no more: the answer would spoil the question
    const bool high = predicted > answer;
    check.measures = {high ? judge::Measure{"conflicts", predicted, 0, predicted - 1}
                           : judge::Measure{"conflicts", predicted, predicted + 1, kMostConflicts}};
    check.facts = found(high ? Verdict::too_high : Verdict::too_low);
  }
  return check;
}

} // namespace course::lab
