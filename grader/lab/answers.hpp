// Questions with one right answer, which is a whole number: the student's launcher copies its
// answers to the output, or to its end, and no kernel need be launched. What is right is known when
// the exercise is read, mostly by what was measured (measured.hpp).
#pragma once

#include "lab/exercise.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace course::lab {

// The answers that came back, by their places: "answer_0", … Other values than whole numbers from
// 0 to a million are none.
Case::Numbers answers_given(std::span<const float> answers);

struct Answer {
  std::size_t place = 0;
  std::uint64_t right = 0;
  bool measured = true; // on an H200, or known from the task
};

// Passes where the answer at its place is the right one.
judge::Check check_answer(const std::string& name, judge::Executions, const Answer&);

} // namespace course::lab
