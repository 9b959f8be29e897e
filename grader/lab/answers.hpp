// Questions with one right answer, which is a whole number: the student's launcher copies its
// answers to the output, and no kernel need be launched. What is right is known when the exercise
// is read, mostly by what was measured (measured.hpp).
#pragma once

#include "lab/exercise.hpp"

#include <cstdint>
#include <string>

namespace course::lab {

// The answers that came back, by their places: "answer_0", … Other values than whole numbers from
// 0 to a million are none.
Case::Numbers answers_given(const Floats& output);

// Passes where the answer at `place` of the output is `right`.
judge::Check check_answer(const std::string& name, judge::Executions, std::size_t place,
                          std::uint64_t right);

} // namespace course::lab
