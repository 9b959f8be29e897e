#include "classroom/survey.hpp"

#include "classroom/alike_outputs.hpp"
#include "lab/labs.hpp"

namespace course::classroom {
namespace {

void add_row(const Row& row, const std::string& student, const VerdictStore& store, Survey& found) {
  found.handed_in.insert(row.exercise);
  found.counts.refused += !row.refused.empty();
  if (!row.refused.empty()) return;
  const auto stored = store.find(row.key);
  found.counts.not_graded += !stored;
  if (!stored) return;
  if (const auto texts = found.alike.find(row.exercise); texts != found.alike.end())
    texts->second.add(student, stored->fingerprints);
  found.examples.try_emplace(row.exercise, stored->graded);
}

} // namespace

Work work_of(const std::filesystem::path& results, const Member& member) {
  Work work;
  for (const auto& [lab, id] : member.submissions) {
    Record damaged; // the next run makes it anew
    damaged.id = damaged.name = id;
    work[lab] = read_record(results, id).value_or(damaged);
  }
  return work;
}

Survey survey(const Publishing& about, const std::vector<Member>& members,
              const VerdictStore& store) {
  Survey found;
  found.alike = alike_to_public(about);
  std::map<std::string, std::string> versions;
  for (const auto& exercise : *about.exercises) versions[exercise.id] = lab::version_of(exercise);
  std::set<std::string> seen; // of a team, one is enough
  for (const auto& member : members) {
    ++found.counts.students;
    found.counts.refused += member.problems.size();
    for (const auto& [lab, record] : work_of(about.results, member)) {
      if (!seen.insert(record.id).second) continue;
      found.counts.unread += !record.read;
      found.counts.refused += !record.problems.empty();
      for (const auto& row : record.rows) {
        if (row.version != versions[row.exercise]) found.changed.insert(row.exercise);
        add_row(row, member.id, store, found);
      }
    }
  }
  return found;
}

} // namespace course::classroom
