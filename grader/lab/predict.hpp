// A quiz about one warp's reads: the student predicts the conflicts of each, and is told what they
// are, row by row. The answers come from the rules of the hardware (device/model), which were
// measured.
#pragma once

#include "device/model/request.hpp"
#include "lab/exercise.hpp"

#include <span>
#include <string>

namespace course::lab {

struct Question {
  std::string check; // the row's name in a report: "stride_2"
  std::string read;  // as the table says it: "word[2 * lane]"
  model::Request request;
};

// The rows of labs/01_banks/1_predict.cu, in its order.
std::span<const Question> questions();

int conflicts(const Question&);

// The predictions as they came back, under the names of their rows.
Case::Numbers predictions(const Floats& output);

// Passes when the prediction of that row is right in every execution.
judge::Check check_prediction(const Question&, judge::Executions);

} // namespace course::lab
