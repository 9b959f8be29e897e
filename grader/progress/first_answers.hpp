// The first answers that a student gave to an exercise's questions, by the log.
#pragma once

#include "progress/event.hpp"

#include <optional>
#include <string>
#include <vector>

namespace course::progress {

// Those of the first run that gave them all; nothing before that. How many of them were right is
// known once the exercise is solved, by the answers that solved it: who has not solved it yet is
// not to learn it here.
std::optional<judge::facts::FirstAnswers> first_answers(const std::vector<Event>&,
                                                        const std::string& exercise);

} // namespace course::progress
