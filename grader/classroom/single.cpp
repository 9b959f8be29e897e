#include "classroom/single.hpp"

#include "classroom/gradebook.hpp"

#include <algorithm>

namespace course::classroom {

report::GradedStudent grade_single(const std::filesystem::path& submission, const Member& member,
                                   const Settings& settings, const Grading& grading) {
  constexpr const char* kId = "submission";
  Record record;
  record.id = record.label = kId;
  record.name = member.person.name;
  record.place.path = submission;
  write_record(grading.results, record);
  grade_submission(kId, grading);
  if (auto graded = read_record(grading.results, kId)) record = std::move(*graded);

  std::vector<std::string> asked;
  for (const auto& exercise : *grading.exercises) {
    const auto is_it = [&](const Row& row) { return row.exercise == exercise.id; };
    const bool handed_in = std::any_of(record.rows.begin(), record.rows.end(), is_it);
    const auto& chosen = settings.exercises;
    const bool wanted = chosen.empty()
                            ? handed_in
                            : std::find(chosen.begin(), chosen.end(), exercise.id) != chosen.end();
    if (wanted) asked.push_back(exercise.id);
  }
  const VerdictStore store(grading.results);
  Gradebook book(settings, *grading.exercises, asked);
  for (const auto& row : record.rows)
    if (const auto stored = store.find(row.key)) book.note_points(stored->graded);
  return book.student(member, {{"", record}}, store);
}

} // namespace course::classroom
