#include "classroom/grade_submission.hpp"

#include "build/digest.hpp"
#include "classroom/clock.hpp"
#include "classroom/events.hpp"
#include "classroom/git_times.hpp"
#include "classroom/plan.hpp"
#include "classroom/submission.hpp"
#include "lab/labs.hpp"
#include "language/translate.hpp"
#include "report/words/ended_words.hpp"
#include "system/file_lock.hpp"
#include "system/in_child.hpp"
#include "system/published_file.hpp"
#include "system/temporary_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kReading{60}; // of one submission

// The file under its exercise's name, in a folder of its own.
class SourceFolder {
public:
  SourceFolder(const lab::Exercise& exercise, const std::string& content) : folder_("submission") {
    system::publish(file(exercise), content);
  }
  fs::path file(const lab::Exercise& exercise) const {
    return folder_.path() / (exercise.name() + ".cu");
  }

private:
  system::TemporaryFolder folder_;
};

// Held while a key is graded, so that nobody grades it at the same time. Keys share 4096 files.
system::FileLock lock_of(const std::string& key, const fs::path& results) {
  return system::FileLock(results / "locks" / key.substr(0, 3));
}

const lab::Exercise& exercise_named(const Grading& grading, const std::string& id) {
  return *std::find_if(grading.exercises->begin(), grading.exercises->end(),
                       [&](const auto& exercise) { return exercise.id == id; });
}

// In the child: grades and stores, unless another process did so meanwhile.
void grade_and_store(const Grading& grading, const std::string& student, const Row& row,
                     const std::string& content) {
  const auto lock = lock_of(row.key, grading.results);
  const VerdictStore store(grading.results);
  if (store.has(row.key)) return;
  const auto& exercise = exercise_named(grading, row.exercise);
  const SourceFolder folder(exercise, content);
  const auto start = std::chrono::steady_clock::now();
  const auto verdict = grading.grade(exercise, folder.file(exercise));
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  if (verdict.ending == judge::Ending::set_up)
    throw std::runtime_error(verdict.ended ? report::ended_words(verdict).headline
                                           : "the machine is not set up");
  store.put(row.key, verdict, content, taken.count());
  append_event(grading.results,
               {student, row.exercise, row.key, row.digest, judge::name(verdict.ending),
                verdict.points, taken.count(), grading.place});
}

Row row_of(const HandedIn& file, const Record& before, const Grading& grading) {
  Row row;
  row.exercise = file.exercise->id;
  row.file = file.path;
  row.refused = file.refused;
  row.time = file.time;
  row.clock = file.clock;
  if (row.refused.empty()) row.digest = build::digest(file.content);
  row.version = lab::version_of(*file.exercise);
  if (row.refused.empty())
    row.key = verdict_key(row.exercise, row.version, file.content, grading.circumstances);
  for (const auto& old : before.rows)
    if (old.key == row.key && old.exercise == row.exercise && !grading.try_given_up)
      row.failed = old.failed;
  return row;
}

// Reading is tried in a child first: the reader of archives meets foreign bytes.
Submission read_carefully(const Place& place, const std::vector<lab::Exercise>& exercises,
                          Reading how) {
  // In a clone, dates are those of the clone.
  how.newest = how.newest && !fs::exists(place.path / ".git");
  const auto wrong = system::in_child([&] { read_submission(place, exercises, how); }, kReading);
  if (!wrong.empty()) return {{}, {tr("It cannot be read: reading it {}.", wrong)}, {}};
  auto submission = read_submission(place, exercises, how);
  if (place.parts.empty()) use_git_times(place.path, submission);
  return submission;
}

} // namespace

Tally grade_submission(const std::string& id, const Grading& grading) {
  const auto before = read_record(grading.results, id);
  if (!before) throw std::runtime_error("there is no record of " + id + "; run course class");
  if (before->blocked) return {};
  std::optional<InZone> zone;
  if (!grading.zone.empty()) zone.emplace(grading.zone);
  auto how = grading.how;
  how.lab = before->lab;
  auto submission = read_carefully(before->place, *grading.exercises, how);
  Record record = *before;
  record.read = true;
  record.problems = submission.problems;
  record.ignored = submission.ignored;
  record.rows.clear();
  for (const auto& file : submission.files) {
    record.rows.push_back(row_of(file, *before, grading));
    const auto& row = record.rows.back();
    const auto kept = archived(grading.results, row.exercise, row.digest);
    if (!row.digest.empty() && !fs::exists(kept))
      system::publish(kept, file.content, system::Durable::yes);
  }

  const VerdictStore store(grading.results);
  Tally tally;
  for (std::size_t i = 0; i < record.rows.size(); ++i) {
    auto& row = record.rows[i];
    if (!row.refused.empty()) continue;
    row.graded = store.has(row.key);
    tally.known += row.graded;
    if (row.graded || !grading.wanted(submission.files[i].exercise->lab())) continue;
    if (row.failed.size() >= kMostAttempts) {
      ++tally.given_up;
      continue;
    }
    const auto wrong = system::in_child(
        [&] { grade_and_store(grading, record.label, row, submission.files[i].content); },
        grading.limit);
    row.graded = store.has(row.key);
    if (row.graded) {
      ++tally.graded;
    } else {
      ++tally.failed;
      row.failed.push_back(grading.place + ": " + (wrong.empty() ? "left no verdict" : wrong));
    }
    write_record(grading.results, record);
  }
  write_record(grading.results, record);
  return tally;
}

} // namespace course::classroom
