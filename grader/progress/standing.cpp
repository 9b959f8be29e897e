#include "progress/standing.hpp"

#include "lab/labs.hpp"

#include <algorithm>

namespace course::progress {
namespace {

void add(Standing& standing, const Event& event) {
  standing.last_event = event.time;
  if (event.kind == Event::Kind::hint) {
    standing.hints_read = std::max(standing.hints_read, event.hint);
    if (!standing.solved) standing.hints = standing.hints_read;
  }
  if (event.kind != Event::Kind::run) return;
  const auto& run = event.run;
  ++standing.runs;
  standing.solved |= run.ending == judge::Ending::passed;
  if (run.max_points <= 0 || run.points < standing.points) return;
  // A run that came to nothing does not know what a GPU would have added.
  if (run.points == 0 && run.max_points < standing.max_points) return;
  standing.points = run.points;
  standing.max_points = run.max_points;
}

Standing standing_of(const lab::Exercise& exercise, const std::vector<Event>& events) {
  Standing standing;
  standing.exercise = &exercise;
  standing.max_points = lab::points_without_gpu(exercise);
  for (const auto& event : events)
    if (event.exercise == exercise.id) add(standing, event);
  return standing;
}

} // namespace

std::optional<judge::Earned> solved_before(const std::vector<Event>& events,
                                           const lab::Exercise& exercise) {
  const auto standing = standing_of(exercise, events);
  if (!standing.solved) return std::nullopt;
  return judge::Earned{standing.points, standing.max_points};
}

std::vector<Standing> standings(const std::vector<lab::Exercise>& exercises,
                                const std::vector<Event>& events) {
  std::vector<Standing> all;
  for (const auto& exercise : exercises) all.push_back(standing_of(exercise, events));
  return all;
}

const Standing* after(const std::vector<Standing>& all, const std::string& exercise) {
  auto start = std::ranges::find_if(
      all, [&](const Standing& standing) { return standing.exercise->id == exercise; });
  const std::size_t from = start == all.end() ? all.size() - 1 : start - all.begin();
  for (std::size_t i = 1; i <= all.size(); ++i) {
    const auto& standing = all[(from + i) % all.size()];
    if (!standing.solved && standing.exercise->id != exercise) return &standing;
  }
  return nullptr;
}

const Standing* current(const std::vector<Standing>& all) {
  const auto last = std::ranges::max_element(all, {}, &Standing::last_event);
  if (last == all.end()) return nullptr;
  if (!last->last_event.empty() && !last->solved) return &*last;
  const auto waiting =
      std::ranges::find_if(all, [](const Standing& one) { return one.edited && one.runs == 0; });
  if (waiting != all.end()) return &*waiting;
  if (last->last_event.empty()) return &all.front();
  return after(all, last->exercise->id);
}

const Standing* latest(const std::vector<Standing>& all) {
  const auto last = std::ranges::max_element(all, {}, &Standing::last_event);
  return last == all.end() ? nullptr : &*last;
}

const Event* last_run(const std::vector<Event>& events, const std::string& exercise) {
  const Event* last = nullptr;
  for (const auto& event : events)
    if (event.kind == Event::Kind::run && event.exercise == exercise) last = &event;
  return last;
}

} // namespace course::progress
