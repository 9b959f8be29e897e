#include "classroom/settings.hpp"

#include "classroom/text_encoding.hpp"

#include "lab/data_table.hpp"
#include "lab/exercise_file.hpp"
#include "language/translate.hpp"
#include "system/fields.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace course::classroom {
namespace {

using lab::Node;
using lab::Table;

constexpr double kMost = 1e6;  // of any number
constexpr int kMostDays = 366; // days

double at_least_0(const Node& node, double otherwise) {
  if (!node) return otherwise;
  const auto number = node.number();
  if (!(number >= 0 && number <= kMost)) node.fail("should be a number from 0 on");
  return number;
}

int whole(const Node& node, int most, int otherwise) {
  if (!node) return otherwise;
  const auto number = node.whole();
  if (number < 0 || number > most) node.fail(fmt::format("should be from 0 to {}", most));
  return static_cast<int>(number);
}

std::optional<double> total(const Node& node) {
  if (!node) return std::nullopt;
  const auto number = node.number();
  if (!(number > 0 && number <= kMost)) node.fail("should be a number above 0");
  return number;
}

std::optional<Counting> counting(const Node& node) {
  if (!node) return std::nullopt;
  const auto word = node.text();
  if (word == "points") return Counting::points;
  if (word == "passed") return Counting::passed;
  if (word == "above_skeleton") return Counting::above_skeleton;
  node.fail("there is \"points\", \"passed\" and \"above_skeleton\"");
}

// What becomes of two different files for one exercise.
bool newest(const Node& node) {
  if (!node) return false;
  const auto word = node.text();
  if (word != "newest" && word != "ask") node.fail("there is \"ask\" and \"newest\"");
  return word == "newest";
}

std::string language(const Node& node) {
  auto all = language::catalogues();
  if (const auto found = language::fitting(node.text(), all)) return *found;
  all.insert(all.begin(), "en");
  node.fail(fmt::format("this grader speaks {}", system::joined(all, ", ")));
}

// What the names in the file may be.
class Known {
public:
  explicit Known(const std::vector<lab::Exercise>& exercises) {
    for (const auto& exercise : exercises) {
      labs_.insert(exercise.lab());
      auto& checks = checks_[exercise.id];
      for (const auto& check : exercise.checks) checks.insert(check.check);
    }
  }
  void expect_lab(const Node& node, const std::string& lab) const {
    if (!labs_.count(lab)) node.fail("there is no such lab");
  }
  void expect_exercise(const Node& node, const std::string& id) const {
    if (!checks_.count(id)) node.fail(fmt::format("there is no exercise '{}'", id));
  }
  // In an exercise, in a lab's ("05_transpose/"), or in any ("").
  void expect_check(const Node& node, const std::string& in, const std::string& check) const {
    for (const auto& [id, checks] : checks_)
      if (id.starts_with(in) && checks.count(check)) return;
    node.fail(in.empty() ? fmt::format("there is no check '{}'", check)
                         : fmt::format("there is no check '{}' in '{}'", check, in));
  }

private:
  std::set<std::string> labs_;
  std::map<std::string, std::set<std::string>> checks_;
};

class SettingsReader {
public:
  SettingsReader(const std::vector<lab::Exercise>& exercises) : known_(exercises) {}

  Settings settings(const Table& file) {
    file.only({"course", "language", "seed", "zone", "encoding", "teams", "tell_seed",
               "feedback_at_once", "anonymous", "of_two_files", "counts", "drop", "total", "late",
               "labs", "exercises", "students"});
    Settings settings;
    if (file["course"]) settings.course = file["course"].text();
    if (const auto seed = file["seed"]) {
      if (seed.whole() < 0) seed.fail("should be a whole number from 0 on");
      settings.seed = static_cast<std::uint64_t>(seed.whole());
    }
    if (const auto zone = file["zone"]) {
      settings.zone = zone_ = zone.text();
      if (!is_zone(zone_)) zone.fail("this machine knows no such zone; write \"Europe/Berlin\"");
    }
    if (file["language"]) settings.language = language(file["language"]);
    if (const auto encoding = file["encoding"]) {
      settings.encoding = encoding.text();
      if (!is_encoding(settings.encoding))
        encoding.fail("this machine knows no such encoding; write \"GBK\" or \"Shift_JIS\"");
    }
    if (file["teams"]) settings.teams = file["teams"].text();
    if (file["tell_seed"]) settings.tell_seed = file["tell_seed"].truth();
    if (file["feedback_at_once"]) settings.feedback_at_once = file["feedback_at_once"].truth();
    if (file["anonymous"]) settings.anonymous = file["anonymous"].truth();
    settings.counts = counting(file["counts"]).value_or(Counting::above_skeleton);
    settings.newest_counts = newest(file["of_two_files"]);
    settings.drop = checks(file["drop"], "");
    settings.total = total(file["total"]);
    if (const auto late = file["late"]) {
      const auto table = late.table({"percent_a_day", "days", "grace_minutes", "free_days"});
      settings.late = late_policy(table);
      settings.free_days = whole(table["free_days"], kMostDays, 0);
    }
    for (const auto& [name, node] : members(file["labs"])) {
      known_.expect_lab(node, name);
      settings.labs[name] = lab(node, name);
    }
    for (const auto& one : file["exercises"].elements()) {
      known_.expect_exercise(one, one.text());
      settings.exercises.push_back(one.text());
    }
    for (const auto& [name, node] : members(file["students"]))
      settings.students.push_back(student(node, name));
    return settings;
  }

private:
  Known known_;
  std::string zone_;

  static std::vector<std::pair<std::string, Node>> members(const Node& node) {
    std::vector<std::pair<std::string, Node>> all;
    if (!node) return all;
    const auto table = node.table();
    for (const auto& name : table.keys_in_order()) all.emplace_back(name, table[name]);
    return all;
  }

  std::optional<std::int64_t> time(const Node& node) const {
    if (!node) return std::nullopt;
    const auto moment = node.moment();
    if (!moment.ahead && zone_.empty())
      node.fail("says no zone: write 2026-11-20T23:59:00+01:00, or zone = \"Europe/Berlin\" above");
    const auto seconds = seconds_of(moment, zone_);
    if (!seconds) node.fail("there is no such time");
    return seconds;
  }

  std::set<std::string> checks(const Node& node, const std::string& in) const {
    std::set<std::string> all;
    for (const auto& one : node.elements()) {
      known_.expect_check(one, in, one.text());
      all.insert(one.text());
    }
    return all;
  }

  static LatePolicy late_policy(const Table& table) {
    LatePolicy policy;
    policy.percent_a_day = at_least_0(table["percent_a_day"], 0);
    policy.days = whole(table["days"], kMostDays, 0);
    policy.grace_minutes = whole(table["grace_minutes"], kMostDays * 24 * 60, 0);
    return policy;
  }

  ExerciseSettings exercise(const Node& node, const std::string& id) const {
    known_.expect_exercise(node, id);
    const auto table = node.table({"weight", "counts", "drop", "points"});
    ExerciseSettings settings;
    settings.weight = at_least_0(table["weight"], 1);
    settings.counts = counting(table["counts"]);
    settings.drop = checks(table["drop"], id);
    for (const auto& [check, points] : members(table["points"])) {
      known_.expect_check(points, id, check);
      settings.points[check] = whole(points, static_cast<int>(kMost), 0);
    }
    return settings;
  }

  LabSettings lab(const Node& node, const std::string& name) const {
    const auto table =
        node.table({"due", "weight", "total", "late", "counts", "drop", "column", "exercises"});
    LabSettings settings;
    settings.due = time(table["due"]);
    settings.weight = at_least_0(table["weight"], 1);
    settings.total = total(table["total"]);
    if (settings.total && table["weight"])
      table["weight"].fail("the lab has a total already: only one of the two can hold");
    if (table["late"])
      settings.late = late_policy(table["late"].table({"percent_a_day", "days", "grace_minutes"}));
    settings.counts = counting(table["counts"]);
    settings.drop = checks(table["drop"], name + "/");
    if (table["column"]) settings.column = table["column"].text();
    for (const auto& [step, one] : members(table["exercises"]))
      settings.exercises[step] = exercise(one, name + "/" + step);
    return settings;
  }

  Exception exception(const Table& table) const {
    Exception exception;
    exception.due = time(table["due"]);
    exception.submitted = time(table["submitted"]);
    exception.extra_days = whole(table["extra_days"], kMostDays, 0);
    if (exception.due && exception.extra_days > 0)
      table["extra_days"].fail("there is a time it is due already: only one of the two can hold");
    return exception;
  }

  StudentSettings student(const Node& node, const std::string& name) const {
    const auto table = node.table({"due", "submitted", "extra_days", "labs"});
    StudentSettings settings;
    settings.who = name;
    settings.where = node.place();
    settings.all = exception(table);
    for (const auto& [lab, about] : members(table["labs"])) {
      known_.expect_lab(about, lab);
      settings.labs[lab] = exception(about.table({"due", "submitted", "extra_days"}));
    }
    return settings;
  }
};

} // namespace

std::vector<std::string> only_by_grading(const Settings& before, const Settings& now) {
  std::vector<std::string> names;
  const auto compare = [&](const char* name, const auto& one, const auto& other) {
    if (one != other) names.emplace_back(name);
  };
  if (now.seed) compare("seed", before.seed, now.seed);
  compare("language", before.language, now.language);
  compare("zone", before.zone, now.zone);
  compare("encoding", before.encoding, now.encoding);
  compare("of_two_files", before.newest_counts, now.newest_counts);
  return names;
}

Due due_of(const Settings& settings, const std::string& student, const std::string& lab) {
  constexpr std::int64_t kDay = 24 * 3600;
  Due found;
  if (const auto at = settings.labs.find(lab); at != settings.labs.end())
    found.due = at->second.due;
  const auto apply = [&](const Exception& exception) {
    if (exception.due) found.due = exception.due;
    if (found.due) *found.due += exception.extra_days * kDay;
    if (exception.submitted) found.submitted = exception.submitted;
  };
  for (const auto& one : settings.students) {
    if (one.who != student) continue;
    const auto of_lab = one.labs.find(lab);
    const bool own = of_lab != one.labs.end();
    auto all = one.all;
    if (own && (of_lab->second.due || of_lab->second.extra_days > 0)) {
      all.due.reset(); // what is said of the lab holds instead
      all.extra_days = 0;
    }
    apply(all);
    if (own) apply(of_lab->second);
  }
  return found;
}

std::variant<Settings, std::string> read_settings(const std::string& text, const std::string& name,
                                                  const std::vector<lab::Exercise>& known) {
  try {
    return SettingsReader(known).settings(Table::parse(text, name));
  } catch (const lab::CourseError& error) {
    return std::string(error.what());
  }
}

} // namespace course::classroom
