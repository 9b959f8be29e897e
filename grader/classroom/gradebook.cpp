// What a score comes to, in one file: each rule works on what the one before it left.
#include "classroom/gradebook.hpp"

#include "language/translate.hpp"
#include "report/page.hpp"
#include "system/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace course::classroom {
namespace {

using report::GradedExercise;
using report::State;

const LabSettings& settings_of_lab(const Settings& settings, const std::string& lab) {
  static const LabSettings kUsual;
  const auto at = settings.labs.find(lab);
  return at == settings.labs.end() ? kUsual : at->second;
}

const ExerciseSettings& settings_of(const Settings& settings, const std::string& id) {
  static const ExerciseSettings kUsual;
  const auto slash = id.find('/');
  const auto& lab = settings_of_lab(settings, id.substr(0, slash));
  const auto at = lab.exercises.find(id.substr(slash + 1));
  return at == lab.exercises.end() ? kUsual : at->second;
}

bool is_dropped(const Settings& settings, const std::string& id, const std::string& check) {
  const auto& lab = settings_of_lab(settings, id.substr(0, id.find('/')));
  return settings.drop.count(check) || lab.drop.count(check) ||
         settings_of(settings, id).drop.count(check);
}

int points_of_check(const Settings& settings, const std::string& id, const std::string& check,
                    int usual) {
  if (is_dropped(settings, id, check)) return 0;
  const auto& points = settings_of(settings, id).points;
  const auto at = points.find(check);
  return at == points.end() ? usual : at->second;
}

std::string attempts(const Row& row) {
  if (row.failed.empty()) return tr("It was not graded yet.");
  const bool given_up = row.failed.size() >= kMostAttempts;
  const auto from_now_on = given_up ? tr("It counts as 0 points until an instructor decides.")
                                    : tr("It will be tried again.");
  return trn("The grader failed at it, {} time; the last time on {}. {}",
             "The grader failed at it, {} times; the last time on {}. {}", row.failed.size(),
             row.failed.size(), row.failed.back(), from_now_on);
}

// `free`: of the days, which cost nothing.
std::string in_words(const Lateness& late, int free) {
  if (late.days == 0) return "";
  if (free > 0)
    return trn("{} day late, {} of the term's free days taken, {}% off",
               "{} days late, {} of the term's free days taken, {}% off",
               static_cast<std::uint64_t>(late.days), late.days, free,
               report::number(100 * (1 - late.keeps)));
  return trn("{} day late, {}% off", "{} days late, {}% off", static_cast<std::uint64_t>(late.days),
             late.days, report::number(100 * (1 - late.keeps)));
}

// What an instructor has decided that it is worth, if anything: the last word counts.
const Decision* decision_on(const std::string& exercise, const std::vector<Decision>& decisions) {
  const Decision* last = nullptr;
  for (const auto& one : decisions)
    if (one.kind == Decision::Kind::score && one.exercise == exercise) last = &one;
  return last;
}

// The points out of those that it had then, of those that it has now; never more than all.
double points_now(const Decision& decision, int most) {
  const double points =
      decision.most > 0 ? decision.points * most / decision.most : decision.points;
  return std::clamp(std::round(100 * points) / 100, 0.0, static_cast<double>(most));
}

// What was measured stays in the report.
std::string in_words(const Decision& decision, double points, const std::string& before) {
  const auto day = decision.date.substr(0, std::string_view("2026-11-22").size());
  if (points == decision.points)
    return tr("{} points instead of {}, decided on {}: {}", report::number(points), before, day,
              decision.words);
  return tr("{} points instead of {}, decided on {} as {} of {}: {}", report::number(points),
            before, day, report::number(decision.points),
            decision.most > 0 ? std::to_string(decision.most) : "?", decision.words);
}

// Who it is, and what there is to say of what was handed in.
report::GradedStudent described(const Member& member, const Work& work) {
  report::GradedStudent student;
  student.id = member.id;
  say_who(student, member.person);
  student.team = member.person.team;
  student.notes = member.notes;
  const auto say = [&](const std::string& lab, const std::string& what) {
    student.problems.push_back(lab.empty() ? what : tr("{}: {}", lab, what));
  };
  for (const auto& [lab, problem] : member.problems) say(lab, problem);
  for (const auto& [lab, record] : work) {
    for (const auto& problem : record.problems) say(lab, problem);
    if (!record.ignored.empty())
      say(lab, tr("Left out: {}.", system::joined(record.ignored, "; ")));
  }
  return student;
}

} // namespace

void say_who(report::GradedStudent& student, const Person& person) {
  student.name = person.name;
  student.school_id = person.id;
  student.sortable = person.sortable;
  student.email = person.email;
  student.login = person.login;
  student.section = person.section;
  student.platform = person.platform;
}

Gradebook::Gradebook(const Settings& settings, const std::vector<lab::Exercise>& exercises,
                     std::vector<std::string> asked)
    : settings_(settings), exercises_(exercises), asked_(std::move(asked)) {
  for (const auto& exercise : exercises) most_[exercise.id] = points_of(exercise);
}

// Without the check that needs a GPU.
int Gradebook::points_of(const lab::Exercise& exercise) const {
  int points = 0;
  for (const auto& check : exercise.checks)
    if (judge::check_kind(check.check) != judge::CheckKind::time)
      points += points_of_check(settings_, exercise.id, check.check, check.points);
  return points;
}

void Gradebook::note_points(const GradedExercise& graded) {
  auto counted = graded;
  count_checks(counted);
  if (counted.counts() && counted.max_points > 0) most_[graded.id] = counted.max_points;
}

void Gradebook::note_skeleton(const GradedExercise& graded) {
  auto counted = graded;
  count_checks(counted);
  if (counted.counts()) skeleton_[graded.id] = static_cast<int>(counted.points);
}

std::set<std::string> Gradebook::above_skeleton() const {
  std::set<std::string> above;
  for (const auto& id : asked_)
    if (counting(id) == Counting::above_skeleton) above.insert(id);
  return above;
}

std::set<std::string> Gradebook::without_skeleton() const {
  auto without = above_skeleton();
  for (const auto& [id, points] : skeleton_) without.erase(id);
  return without;
}

Counting Gradebook::counting(const std::string& id) const {
  const auto& lab = settings_of_lab(settings_, id.substr(0, id.find('/')));
  return settings_of(settings_, id).counts.value_or(lab.counts.value_or(settings_.counts));
}

// Checks that count for nobody, and checks with points of their own.
void Gradebook::count_checks(GradedExercise& graded) const {
  int points = 0, most = 0, before = 0;
  for (auto& check : graded.checks) {
    before += check.max_points;
    if (check.max_points > 0) {
      const int now = points_of_check(settings_, graded.id, check.name, check.max_points);
      check.points = check.points * now / check.max_points;
      check.max_points = now;
    }
    points += check.points;
    most += check.max_points;
  }
  // A verdict may count as a whole: not measurable, refused by the compiler.
  if (before != graded.max_points) return;
  graded.points = graded.points == 0 ? 0 : points;
  graded.max_points = most;
}

void Gradebook::count_points(GradedExercise& graded) const {
  if (!graded.counts()) return;
  if (counting(graded.id) == Counting::passed)
    graded.points = graded.points == graded.max_points ? graded.max_points : 0;
  const auto skeleton = skeleton_.find(graded.id);
  if (counting(graded.id) == Counting::above_skeleton && skeleton != skeleton_.end()) {
    graded.points = std::max(0.0, graded.points - skeleton->second);
    graded.max_points = std::max(0, graded.max_points - skeleton->second);
  }
}

GradedExercise Gradebook::as_found(const Member& member, const Work& work, const std::string& id,
                                   const VerdictStore& store) const {
  GradedExercise graded;
  const auto lab = id.substr(0, id.find('/'));
  const auto* record = work_in(work, lab);
  const auto* row = row_in(work, id);
  const auto is = [&](State state, const std::string& reason) {
    graded.state = state;
    graded.reason = reason;
  };
  if (const auto problem = member.problem(lab); !problem.empty()) {
    is(State::refused, problem);
  } else if (!record) {
    is(State::missing, tr("Nothing was handed in."));
  } else if (!record->read) {
    is(State::not_graded, tr("Nobody has looked into this submission yet."));
  } else if (record->blocked) {
    is(State::refused, record->problems.empty() ? "" : record->problems.front());
  } else if (!row) {
    is(State::missing,
       record->problems.empty() ? tr("It is not in the submission.") : record->problems.front());
  } else if (!row->refused.empty()) {
    is(State::refused, row->refused);
  } else if (auto stored = store.find(row->key)) {
    graded = std::move(stored->graded);
  } else {
    // What only ever fails, on whatever machine, the file may bring about: that must not pay.
    const bool given_up = row->failed.size() >= kMostAttempts;
    is(given_up ? State::refused : State::not_graded, attempts(*row));
  }
  if (row) graded.path = row->file;
  return graded;
}

GradedExercise Gradebook::exercise(const Member& member, const Work& work, const std::string& id,
                                   const VerdictStore& store) const {
  auto graded = as_found(member, work, id, store);
  graded.id = id;
  if (graded.state == State::graded) count_checks(graded);
  if (graded.state != State::graded) graded.max_points = most_.at(id);
  count_points(graded);
  const auto known = std::find_if(exercises_.begin(), exercises_.end(),
                                  [&](const auto& exercise) { return exercise.id == id; });
  if (known != exercises_.end()) graded.title = known->title;
  return graded;
}

// The surest clock wins: the instructor's word, then a platform's, then what the files say.
Gradebook::Deadline Gradebook::deadline(const Member& member, const Work& work,
                                        const std::string& lab) const {
  const auto holds = due_of(settings_, member.id, lab);
  Deadline found;
  found.due = holds.due;
  if (const auto* record = work_in(work, lab))
    for (const auto& row : record->rows)
      if (row.exercise.starts_with(lab + "/") && row.time > found.at.value_or(0)) {
        found.at = row.time;
        found.clock = row.clock;
      }
  for (const auto& of : {std::string(), lab})
    if (const auto at = member.times.find(of); at != member.times.end()) {
      found.at = at->second.at;
      found.clock = at->second.clock;
    }
  if (holds.submitted) {
    found.at = holds.submitted;
    found.clock = language::marked("clock", "class.toml");
  }
  return found;
}

std::map<std::string, LateLab> Gradebook::late_labs_of(const Member& member, const Work& work,
                                                       const std::set<std::string>& labs) const {
  std::vector<HandedInLab> all;
  for (const auto& lab : labs) {
    const auto of = deadline(member, work, lab);
    if (of.at && of.due) all.push_back({lab, *of.due, *of.at});
  }
  return late_labs(settings_, all);
}

double Gradebook::weight_of(const std::string& id) const {
  return settings_of(settings_, id).weight;
}

// An exercise to those of its lab, which is begun where it is another one.
void Gradebook::add(report::GradedStudent& student, const GradedExercise& graded) const {
  const auto lab = graded.lab();
  if (student.labs.empty() || student.labs.back().lab != lab)
    student.labs.push_back({lab, settings_of_lab(settings_, lab).column, 0, 0});
  student.labs.back().score += graded.score;
  student.labs.back().max_score += graded.max_score;
}

// Weights and totals of the labs, and what they come to.
void Gradebook::add_up(report::GradedStudent& student) const {
  std::map<std::string, double> factors;
  for (auto& lab : student.labs) {
    const auto& about = settings_of_lab(settings_, lab.lab);
    factors[lab.lab] = !about.total          ? about.weight
                       : lab.max_score > 0.0 ? *about.total / lab.max_score
                                             : 0.0;
    lab.score *= factors[lab.lab];
    lab.max_score *= factors[lab.lab];
    student.score += lab.score;
    student.max_score += lab.max_score;
  }
  double all = 1;
  if (settings_.total && student.max_score > 0) {
    all = *settings_.total / student.max_score;
    student.score *= all;
    student.max_score = *settings_.total;
  }
  for (auto& exercise : student.exercises) {
    exercise.score *= factors[exercise.lab()] * all;
    exercise.max_score *= factors[exercise.lab()] * all;
  }
}

std::set<std::string> Gradebook::nothing_to_earn() const {
  std::set<std::string> nothing;
  for (const auto& id : above_skeleton()) {
    const auto skeleton = skeleton_.find(id);
    if (skeleton != skeleton_.end() && skeleton->second >= most_.at(id)) nothing.insert(id);
  }
  return nothing;
}

report::GradedStudent Gradebook::possible() const {
  report::GradedStudent all;
  for (const auto& id : asked_) {
    GradedExercise missing;
    missing.id = id;
    missing.max_points = most_.at(id);
    count_points(missing);
    missing.max_score = weight_of(id) * missing.max_points;
    add(all, missing);
  }
  add_up(all);
  return all;
}

void Gradebook::decide(GradedExercise& graded, const Decision& decision) const {
  const auto before = graded.counts() ? report::number(graded.points) : trc("points", "none");
  if (!graded.counts()) {
    graded.state = State::refused; // it counts from now on
    graded.max_points = most_.at(graded.id);
    count_points(graded);
  }
  graded.points = points_now(decision, graded.max_points);
  graded.decided = in_words(decision, graded.points, before);
}

report::GradedStudent Gradebook::student(const Member& member, const Work& work,
                                         const VerdictStore& store,
                                         const std::vector<Decision>& decisions) const {
  report::GradedStudent student = described(member, work);
  std::vector<GradedExercise> found;
  std::set<std::string> judged; // labs in which something counts as it was graded
  for (const auto& id : asked_) {
    found.push_back(exercise(member, work, id, store));
    if (found.back().state == State::graded && !decision_on(id, decisions))
      judged.insert(found.back().lab());
  }
  const auto lates = late_labs_of(member, work, judged);
  for (auto& graded : found) {
    const auto id = graded.id, lab = graded.lab();
    const auto handed_in = deadline(member, work, lab);
    const bool there = graded.state == State::graded;
    const auto* decided = decision_on(id, decisions);
    if (decided) decide(graded, *decided);
    const auto late = there && !decided && lates.contains(lab) ? lates.at(lab) : LateLab{};
    graded.late = in_words(late.lateness, late.free);
    if (handed_in.at && row_in(work, id)) {
      graded.handed_in = time_in(*handed_in.at, settings_.zone);
      graded.clock = handed_in.clock;
    }
    if (graded.counts()) {
      graded.score = weight_of(id) * late.lateness.keeps * graded.points;
      graded.max_score = weight_of(id) * graded.max_points;
    }
    add(student, graded);
    if (!graded.late.empty() && student.late.find(lab) == student.late.npos)
      student.late += (student.late.empty() ? "" : "; ") + tr("{} {}", lab, graded.late);
    student.exercises.push_back(std::move(graded));
  }
  for (const auto& one : decisions) {
    if (one.kind != Decision::Kind::comment && one.kind != Decision::Kind::answer) continue;
    student.comments.push_back(one.exercise.empty() ? one.words
                                                    : tr("{}: {}", one.exercise, one.words));
  }
  for (const auto& one : open_requests(decisions))
    student.notes.push_back(one.exercise.empty()
                                ? tr("Asks to look again at everything: {}", one.words)
                                : tr("Asks to look again at {}: {}", one.exercise, one.words));
  add_up(student);
  return student;
}

std::string unknown_student(const Settings& settings, const std::vector<Member>& members) {
  for (const auto& student : settings.students) {
    const auto meant = those_meant(members, student.who);
    const auto where = fmt::format("{}: students.{}: ", student.where, student.who);
    if (meant.empty()) return where + "nobody in the class has this name, ID or address";
    const auto &one = members[meant.front()], &other = members[meant.back()];
    const bool of_a_team = !one.submissions.empty() && one.submissions == other.submissions;
    if (meant.size() > 1 && !of_a_team)
      return where +
             fmt::format("it could be {} or {}: write the ID or the address", one.id, other.id);
  }
  return "";
}

Settings with_ids(Settings settings, const std::vector<Member>& members,
                  const std::vector<Member>& shown) {
  std::vector<StudentSettings> students;
  for (const auto& student : settings.students)
    for (const auto one : those_meant(members, student.who)) {
      students.push_back(student);
      students.back().who = shown[one].id;
    }
  settings.students = std::move(students);
  return settings;
}

} // namespace course::classroom
