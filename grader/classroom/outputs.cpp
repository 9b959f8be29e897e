#include "classroom/outputs.hpp"

#include "classroom/alike_outputs.hpp"
#include "classroom/anonymous.hpp"
#include "classroom/gradebook.hpp"
#include "classroom/items.hpp"
#include "classroom/plan.hpp"
#include "classroom/platform_tables.hpp"
#include "classroom/survey.hpp"
#include "language/translate.hpp"
#include "report/csv.hpp"
#include "report/format.hpp"
#include "report/json.hpp"
#include "report/junit.hpp"
#include "report/student_page.hpp"
#include "system/fields.hpp"
#include "system/published_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Who has a row; without a list of the class, whoever handed in.
std::vector<Member> members_of(const fs::path& results) {
  auto members = read_members(results);
  if (!members.empty()) return members;
  for (const auto& id : read_roster(results)) {
    Member member;
    const auto record = read_record(results, id);
    member.id = member.submissions[record ? record->lab : ""] = id;
    member.person.name = record ? record->name : id;
    members.push_back(std::move(member));
  }
  return members;
}

std::vector<std::string> asked_for(const Publishing& about,
                                   const std::set<std::string>& handed_in) {
  const auto& chosen = about.settings.exercises;
  std::vector<std::string> asked;
  for (const auto& exercise : *about.exercises) {
    const bool wanted = chosen.empty()
                            ? handed_in.count(exercise.id) > 0
                            : std::find(chosen.begin(), chosen.end(), exercise.id) != chosen.end();
    if (wanted) asked.push_back(exercise.id);
  }
  return asked;
}

Json json_of(const report::GradedExercise& exercise, const std::string& key,
             const std::string& digest) {
  Json json{{"exercise", exercise.id},
            {"state", report::name(exercise.state)},
            {"verdict", exercise.verdict},
            {"counts", exercise.counts()},
            {"points", report::json_number(exercise.points)},
            {"max_points", exercise.max_points},
            {"reason", report::reason(exercise)},
            {"handed_in", exercise.handed_in},
            {"clock", exercise.clock},
            {"late", exercise.late},
            {"decided", exercise.decided},
            {"file", exercise.path},
            {"key", key},
            {"archived", digest.empty() ? "" : archived("", exercise.id, digest).string()}};
  json["checks"] = Json::array();
  for (const auto& check : exercise.checks) {
    if (check.max_points == 0) continue;
    json["checks"].push_back({{"name", check.name},
                              {"status", judge::name(check.status)},
                              {"points", check.points},
                              {"max_points", check.max_points}});
  }
  return json;
}

Json json_of(const report::GradedStudent& student, const std::vector<std::string>& keys,
             const std::vector<std::string>& digests) {
  Json json{{"id", student.id},       {"name", student.name},
            {"score", student.score}, {"max_score", student.max_score},
            {"late", student.late},   {"problems", student.problems},
            {"notes", student.notes}, {"comments", student.comments}};
  json["exercises"] = Json::array();
  for (std::size_t i = 0; i < student.exercises.size(); ++i)
    json["exercises"].push_back(json_of(student.exercises[i], keys[i], digests[i]));
  return json;
}

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Of each exercise's row, in their order.
std::vector<std::string> of_rows(const Work& work, const report::GradedStudent& student,
                                 std::string Row::*what) {
  std::vector<std::string> all;
  for (const auto& exercise : student.exercises) {
    const auto* row = row_in(work, exercise.id);
    all.push_back(row ? row->*what : "");
  }
  return all;
}

// A page that is as it was is left alone.
void publish_if_changed(const fs::path& file, const std::string& text) {
  if (system::content_of(file) != text) system::publish(file, text);
}

// The file of a format, as it is now, or none.
void keep(const fs::path& file, bool wanted, const std::function<std::string()>& text) {
  std::error_code ignored;
  if (wanted) publish_if_changed(file, text());
  if (!wanted) fs::remove(file, ignored);
}

void publish_student(const Publishing& about, const report::GradedStudent& student,
                     const report::PageTitle& title) {
  const auto folder = about.results / "students" / student.id;
  publish_if_changed(folder / "index.html", report::student_page(student, title));
  const report::Circumstances circumstances{about.settings.feedback_at_once, about.version};
  for (const auto& format : report::formats())
    if (*format.file)
      keep(folder / format.file,
           about.formats.contains(format.name) && formats_of_class().contains(format.name),
           [&] { return format.text(student, circumstances); });
}

void remove_who_is_gone(const fs::path& students, const std::set<std::string>& ids) {
  std::error_code error;
  std::vector<fs::path> gone;
  for (fs::directory_iterator at(students, error), end; !error && at != end; at.increment(error))
    if (!ids.count(at->path().filename().string())) gone.push_back(at->path());
  for (const auto& folder : gone) fs::remove_all(folder, error);
}

void publish_names(const fs::path& file, const std::vector<Member>& hidden,
                   const std::vector<Member>& members) {
  system::Draft draft(file);
  draft.write(std::string(report::kExcelMark) + "number,id,name,email\r\n");
  for (std::size_t i = 0; i < members.size(); ++i)
    draft.write(fmt::format("{},{},{},{}\r\n", hidden[i].id, report::csv_cell(members[i].id),
                            report::csv_cell(members[i].person.name),
                            report::csv_cell(members[i].person.email)));
  draft.publish();
}

// What a path in a submission may say of whose it is.
void hide_paths(report::GradedStudent& student) {
  for (auto& exercise : student.exercises) {
    if (!exercise.path.empty()) exercise.path = exercise.name() + ".cu";
    if (exercise.state != report::State::graded) exercise.reason = tr("(see {})", "names.csv");
  }
  student.problems.clear();
}

// The rows of the class's page come after its numbers, which all students add to: they wait in a
// file of their own.
class ClassPage {
public:
  explicit ClassPage(const fs::path& results) : page_(results / "index.html") {
    rows_ = std::tmpfile();
    if (!rows_)
      throw fs::filesystem_error("cannot write temporary files", fs::temp_directory_path(),
                                 std::error_code(errno, std::generic_category()));
  }
  ClassPage(const ClassPage&) = delete; // one closes the file
  ~ClassPage() { std::fclose(rows_); }

  void add(const report::GradedStudent& student) {
    tally_.add(student);
    const auto row = report::class_page_row(student);
    std::fwrite(row.data(), 1, row.size(), rows_);
  }
  void publish(const std::vector<report::ItemStatistics>& items,
               const std::vector<report::Likeness>& alike, const report::PageTitle& title) {
    page_.write(report::class_page_start(tally_, items, alike, title));
    std::rewind(rows_);
    std::string part(1 << 16, '\0');
    while (const auto size = std::fread(part.data(), 1, part.size(), rows_))
      page_.write(std::string_view(part).substr(0, size));
    page_.write(report::class_page_end(title));
    page_.publish();
  }

private:
  system::Draft page_;
  std::FILE* rows_ = nullptr;
  report::ClassTally tally_;
};

// Who has no ID of Canvas where the roster has those of others, as pages call them.
std::vector<std::string> without_canvas(const std::vector<Member>& named,
                                        const std::vector<Member>& shown) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> without;
  bool of_canvas = false;
  for (std::size_t i = 0; i < named.size(); ++i) {
    const auto& person = named[i].person;
    const bool has = !person.platform.empty();
    of_canvas = of_canvas || (has && !(person.id + person.login + person.email).empty());
    if (!has) without.push_back(shown[i].person.name);
  }
  if (!of_canvas) return {};
  if (without.size() > kMost) {
    const auto more = tr("{} more", without.size() - kMost);
    without.resize(kMost);
    without.push_back(more);
  }
  return without;
}

report::PageTitle title_of(const Publishing& about, const Survey& found, const Gradebook& book,
                           const Decided& decided, const std::vector<std::string>& no_canvas) {
  std::vector<std::string> notes;
  if (!no_canvas.empty())
    notes.push_back(tr("{} has no row for {}: the roster has no ID of Canvas.", "canvas.csv",
                       system::joined(no_canvas, tr(", "))));
  if (const auto open = found.counts.unread + found.counts.not_graded; open > 0)
    notes.push_back(trn("{} submission or exercise is not graded yet: run {} again to go on.",
                        "{} submissions or exercises are not graded yet: run {} again to go on.",
                        open, open, "course class"));
  if (!found.changed.empty())
    notes.push_back(tr("{} changed since this was graded: run {} again.",
                       system::joined({found.changed.begin(), found.changed.end()}, tr(", ")),
                       "course class"));
  if (const auto without = book.without_skeleton(); !without.empty())
    notes.push_back(
        tr("What the skeletons of {} earn is not known yet: all points count there. Run "
           "{} again to have them graded.",
           system::joined({without.begin(), without.end()}, tr(", ")), "course class"));
  if (const auto nothing = book.nothing_to_earn(); !nothing.empty())
    notes.push_back(tr("The untouched skeletons of {} have all points that the settings leave: "
                       "nobody can earn any there.",
                       system::joined({nothing.begin(), nothing.end()}, tr(", "))));
  for (const auto& one : decided.of_nobody)
    notes.push_back(tr("Decision {} is about nobody who is in the class now: see {}.", one.number,
                       "course decide --list"));
  const auto& course = about.settings.course;
  return {course.empty() ? tr("Shared memory") : course, system::joined(notes, " "),
          about.made_with};
}

} // namespace

namespace {

std::vector<Decision> decisions_of(const Decided& decided, const std::string& student) {
  std::vector<Decision> own;
  for (const auto& one : decided.all)
    if (one.student.id == student) own.push_back(one);
  return own;
}

void note_skeletons(const fs::path& results, const VerdictStore& store, Gradebook& book) {
  const auto record = read_record(results, kSkeletons);
  if (!record) return;
  for (const auto& row : record->rows) {
    auto stored = store.find(row.key);
    if (!stored) continue;
    stored->graded.id = row.exercise;
    book.note_skeleton(stored->graded);
  }
}

// Above each student's page: the class's, with what concerns a student who asks again.
report::PageTitle title_for_students(const Publishing& about, report::PageTitle title) {
  const bool timed = std::ranges::any_of(*about.exercises, [](const auto& exercise) {
    return std::ranges::any_of(exercise.checks, [](const auto& check) {
      return judge::check_kind(check.check) == judge::CheckKind::time;
    });
  });
  if (timed && !about.on_gpu)
    title.remark = tr("Time was not measured: that needs a GPU. It counts for nobody.");
  title.note = about.settings.tell_seed
                   ? tr("The same inputs again: {}",
                        fmt::format("./course grade EXERCISE --seed {}", about.seed))
                   : "";
  return title;
}

// The files with a row for each student. They are drafts until all rows are in them.
class Tables {
public:
  Tables(const Publishing& about, const report::GradedStudent& possible, const std::string& course)
      : platforms_(possible.labs, possible.max_score), grades_(about.results / "grades.csv"),
        totals_(about.results / "totals.csv"), json_(about.results / "grades.json"),
        junit_(about.results / "junit.xml"), canvas_(about.results / "canvas.csv"),
        moodle_(about.results / "moodle.csv") {
    canvas_.write(platforms_.canvas_header());
    moodle_.write(platforms_.moodle_header());
    for (auto* table : {&grades_, &totals_}) table->write(report::kExcelMark);
    grades_.write(report::kCsvHeader);
    totals_.write(report::kTotalsHeader);
    junit_.write(report::junit_start());
    json_.write("{\"schema\":1,\"course\":" + dumped(course) +
                ",\"made_with\":" + dumped(about.made_with) + ",\"students\":[");
  }

  // `named` is the same student with the name that platforms have to know.
  void add(const report::GradedStudent& student, const report::GradedStudent& named,
           const Work& work) {
    canvas_.write(platforms_.canvas_row(named));
    moodle_.write(platforms_.moodle_row(named));
    grades_.write(report::csv_rows(student));
    totals_.write(report::totals_row(student));
    junit_.write(report::junit(student));
    const auto keys = of_rows(work, student, &Row::key);
    const auto digests = of_rows(work, student, &Row::digest);
    json_.write((first_ ? "\n" : ",\n") + dumped(json_of(student, keys, digests)));
    first_ = false;
  }

  void publish() {
    json_.write("\n]}\n");
    junit_.write(report::junit_end());
    for (auto* draft : {&grades_, &totals_, &json_, &junit_, &canvas_, &moodle_})
      draft->publish(system::Durable::yes);
  }

private:
  PlatformTables platforms_;
  system::Draft grades_, totals_, json_, junit_, canvas_, moodle_;
  bool first_ = true;
};

} // namespace

Skeletons skeletons_of_class(const fs::path& results, const Settings& settings,
                             const std::vector<lab::Exercise>& exercises) {
  Publishing about;
  about.settings = settings;
  about.exercises = &exercises;
  std::set<std::string> handed_in;
  for (const auto& id : read_roster(results))
    if (const auto record = read_record(results, id))
      for (const auto& row : record->rows) handed_in.insert(row.exercise);
  Gradebook book(settings, exercises, asked_for(about, handed_in));
  note_skeletons(results, VerdictStore(results), book);
  return {book.above_skeleton(), book.without_skeleton()};
}

std::set<std::string> formats_of_class() {
  return {"gradescope", "prairielearn"};
}

Published publish_outputs(const Publishing& about) {
  const VerdictStore store(about.results);
  const auto named = members_of(about.results);
  auto members = named;
  if (about.settings.anonymous)
    members = made_anonymous(named, numbers_of(about.results, named, about.seed));
  const auto decided = decided_in(about.decisions, named);
  const auto found = survey(about, members, store);
  const auto settings = with_ids(about.settings, named, members);
  Gradebook book(settings, *about.exercises, asked_for(about, found.handed_in));
  for (const auto& [exercise, graded] : found.examples) book.note_points(graded);
  note_skeletons(about.results, store, book);
  const auto title = title_of(about, found, book, decided, without_canvas(named, members));
  const auto student_title = title_for_students(about, title);
  Tables tables(about, book.possible(), title.course);
  ClassPage page(about.results);
  Items items(about);
  std::set<std::string> ids;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto work = work_of(about.results, members[i]);
    auto student = book.student(members[i], work, store, decisions_of(decided, named[i].id));
    auto for_platforms = student; // which have to know who it is, whatever pages say
    say_who(for_platforms, named[i].person);
    if (about.settings.anonymous) hide_paths(student);
    tables.add(student, for_platforms, work);
    page.add(student);
    items.add(student, work, store);
    publish_student(about, student, student_title);
    ids.insert(student.id);
  }
  const auto alike = publish_alike(about, members, found.alike, title);
  tables.publish();
  page.publish(items.statistics(), alike, title);
  remove_who_is_gone(about.results / "students", ids);
  std::error_code ignored;
  if (about.settings.anonymous) publish_names(about.results / "names.csv", members, named);
  if (!about.settings.anonymous) fs::remove(about.results / "names.csv", ignored);
  return found.counts;
}

} // namespace course::classroom
