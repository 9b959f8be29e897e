// Questions with one right answer each, which is a whole number: the student's launcher copies its
// answers to the output, or to its end, and no kernel need be launched. What is right is known when
// the exercise is read, mostly by what was measured (measured.hpp).
//
// They are judged together, once all are given, and nobody is told which are right. Judged one by
// one, answers that are chosen from a few can be tried until they hold, which takes two or three
// gradings and no thought. That a wrong one costs something was the other way: but what was tried
// before is known from the student's own log alone, which is the student's to delete, so it could
// only be taken from the honest. How many are right is told where a check takes some of them
// (`least`); among few answers that number would tell which.
#pragma once

#include "lab/exercise.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace course::lab {

// The answers that came back, by their places: "answer_0", … Other values than whole numbers from
// 0 to a million are none.
Case::Numbers answers_given(std::span<const float> answers);

struct RightAnswers {
  std::vector<std::uint64_t> right; // by their places
  std::uint64_t least = 0;          // so many have to be
  bool measured = true;             // on an H200, or known from the task
  std::vector<std::uint64_t> most =
      {}; // as the task says, by their places; those beyond: any number
};

// Passes where all are given, and enough of them are right. A number that the task rules out is a
// slip, and no answer.
judge::Check check_answers(const std::string& name, judge::Executions, const RightAnswers&);

} // namespace course::lab
