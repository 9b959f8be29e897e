#include "progress/first_answers.hpp"

#include <algorithm>

namespace course::progress {

std::optional<judge::facts::FirstAnswers> first_answers(const std::vector<Event>& events,
                                                        const std::string& exercise) {
  const auto answered = [&](const Event& event) {
    return event.kind == Event::Kind::run && event.exercise == exercise &&
           !event.run.answers.empty();
  };
  const auto first = std::ranges::find_if(events, answered);
  if (first == events.end()) return std::nullopt;
  judge::facts::FirstAnswers found{first->time.substr(0, first->time.find('T')), first->run.answers,
                                   std::nullopt};
  const auto solved = std::ranges::find_if(events, [&](const Event& event) {
    return answered(event) && event.run.ending == judge::Ending::passed &&
           event.run.answers.size() == found.said.size();
  });
  if (solved == events.end()) return found;
  found.right = 0;
  for (std::size_t i = 0; i < found.said.size(); ++i)
    *found.right += found.said[i] == solved->run.answers[i];
  return found;
}

} // namespace course::progress
