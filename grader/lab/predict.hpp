// A quiz about one warp's reads: the student predicts the conflicts of each. The answers come from
// the rules of the hardware (device/model), which were measured; answers.hpp judges them.
#pragma once

#include "device/model/request.hpp"

#include <span>
#include <string>

namespace course::lab {

struct Question {
  std::string read; // as the table says it: "word[2 * lane]"
  model::Request request;
};

// The rows of labs/01_banks/1_predict.cu, in its order.
std::span<const Question> questions();

int conflicts(const Question&);

} // namespace course::lab
