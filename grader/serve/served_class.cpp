#include "serve/served_class.hpp"

#include "build/digest.hpp"
#include "classroom/clock.hpp"
#include "classroom/forget.hpp"
#include "lab/labs.hpp"
#include "progress/kept_name.hpp"
#include "progress/log.hpp"
#include "progress/standing.hpp"
#include "system/file.hpp"
#include "system/published_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace course::serve {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Of its owner alone, from the start: keys and everybody's work lie below it.
fs::path private_folder(const fs::path& folder) {
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms::owner_all);
  return folder;
}

// The first check that failed, or how it ended.
std::string failed_of(const json& verdict) {
  if (!verdict.is_object()) return "none";
  const auto ending = verdict.value("verdict", std::string("none"));
  if (ending != "failed") return ending == "passed" ? "" : ending;
  for (const auto& check : verdict.value("checks", json::array()))
    if (check.value("status", std::string()) == "failed") return check.value("name", std::string());
  return ending;
}

classroom::Member member_of(const Participant& who) {
  classroom::Member member;
  member.id = who.id;
  member.person = who.person;
  return member;
}

const char* name_of(ClassFault::Why why) {
  switch (why) {
  case ClassFault::Why::no_roster:
    return "no_roster";
  case ClassFault::Why::nobody:
    return "nobody";
  case ClassFault::Why::no_plain_name:
    return "no_plain_name";
  case ClassFault::Why::twice:
    return "twice";
  case ClassFault::Why::unknown:
    return "unknown";
  case ClassFault::Why::unreadable:
    return "unreadable";
  }
  return "";
}

// Files by their names in the class's folder.
json json_of(const ClassFault& fault, const fs::path& folder) {
  auto where = fault.where;
  const auto before = folder.string() + "/";
  for (auto at = where.find(before); at != where.npos; at = where.find(before))
    where.erase(at, before.size());
  return {{"why", name_of(fault.why)}, {"where", where}, {"who", fault.who}};
}

// The line of the run that was logged last, for others; empty where it is not for them.
std::string event_for_others(const fs::path& log, const std::string& exercise) {
  const auto events = progress::Log(log).read().events;
  const auto* run = progress::last_run(events, exercise);
  // What is said of answers depends on those that this student gave before.
  return run && run->run.answers.empty() ? progress::line_of(*run) : std::string();
}

} // namespace

ServedClass::ServedClass(fs::path folder, Means means)
    : folder_(std::move(folder)), means_(std::move(means)), stamp_(stamp_of_class(folder_)),
      found_(stamp_), read_(read_class(folder_, *means_.exercises)),
      ledger_(private_folder(folder_ / "serve") / "ledger.sqlite"), seed_(ledger_.seed()) {}

bool ServedClass::look() {
  const auto now = stamp_of_class(folder_);
  const bool settled = now == std::exchange(found_, now);
  if (now == stamp_ || !settled) return false;
  stamp_ = now;
  try {
    read_ = read_class(folder_, *means_.exercises);
    fault_.reset();
  } catch (const ClassError& error) {
    fault_ = error.fault;
  }
  ++version_;
  if (means_.read_again) means_.read_again(fault_);
  return true;
}

void ServedClass::prepare() {
  std::error_code none;
  fs::remove_all(scratch(), none); // of a server that was killed
  for (const char* one : {"students", "instructors", "handed_in", "handed_in_all"})
    private_folder(folder_ / one);
  private_folder(scratch());
}

const Participant* ServedClass::find(const std::string& id) const {
  const auto& all = read_.participants;
  const auto at = std::ranges::find(all, id, &Participant::id);
  return at == all.end() ? nullptr : &*at;
}

std::optional<std::string> ServedClass::named(const std::string& name) const {
  const auto at = read_.by_name.find(name);
  return at == read_.by_name.end() ? std::nullopt : std::optional(at->second);
}

fs::path ServedClass::home_of(const Participant& who) const {
  return folder_ / (who.instructs ? "instructors" : "students") / who.id;
}

std::unique_ptr<Desk> ServedClass::desk(const Participant& who) {
  const auto home = home_of(who);
  auto desk = std::make_unique<Desk>(who.id, home, home / ".course" / "progress.jsonl");
  for (const auto& [exercise, text] : ledger_.last_of(who.id)) {
    auto facts = json::parse(text, nullptr, false);
    if (facts.is_discarded()) continue;
    facts["number"] = desk->revision;
    desk->results[exercise] = {desk->revision, std::move(facts)};
  }
  return desk;
}

void ServedClass::begin(Desk& desk, const lab::Exercise& exercise) {
  const auto there = desk.files.read(exercise.id);
  const auto* why = std::get_if<NoText>(&there);
  if (!why || *why != NoText::missing) return;
  const auto text = means_.skeleton(exercise);
  if (!text) return;
  system::publish(desk.work / "labs" / (exercise.id + ".cu"), *text, system::Durable::yes);
}

std::string ServedClass::key_of(const lab::Exercise& exercise, const std::string& text,
                                const std::string& language) {
  if (means_.grader.empty()) return "";
  return build::Digest()
      .add(means_.grader)
      .add(exercise.id)
      .add(lab::version_of(exercise))
      .add(std::to_string(seed_))
      .add(language)
      .add(text)
      .hex();
}

std::optional<json> ServedClass::known(const Desk& desk, const Desk::Grading& grading) {
  if (grading.key.empty()) return std::nullopt;
  const auto known = ledger_.known(grading.key);
  if (!known) return std::nullopt;
  auto facts = json::parse(known->facts, nullptr, false);
  auto event = progress::event_of(known->event);
  if (facts.is_discarded() || !event) return std::nullopt;
  ledger_.keep(attempt_of(desk, grading, facts), grading.key, *known);
  event->time = progress::now();
  progress::Log(desk.progress_file).append(*event);
  return facts;
}

bool ServedClass::keep(const Desk& desk, const Desk::Grading& grading, const json& facts) {
  const auto attempt = attempt_of(desk, grading, facts);
  // What a busy machine may have brought about is not what the text is worth.
  const auto& failed = attempt.failed;
  const bool same_again = failed != "none" && failed != "timed_out" && failed != "set_up" &&
                          failed != "crashed" && facts["code"] != 8;
  const auto event = same_again ? event_for_others(desk.progress_file, grading.exercise) : "";
  try {
    ledger_.keep(attempt, event.empty() ? "" : grading.key, {facts.dump(), event});
  } catch (const LedgerError&) {
    return false;
  }
  return true;
}

Ledger::Attempt ServedClass::attempt_of(const Desk& desk, const Desk::Grading& grading,
                                        const json& facts) const {
  const auto& verdict = facts["verdict"];
  const auto failed = failed_of(verdict);
  Ledger::Attempt attempt{desk.id, grading.exercise, now(), 0, 0, failed.empty(), failed};
  if (verdict.is_object()) {
    attempt.points = verdict.value("points", 0);
    attempt.max_points = verdict.value("max_points", 0);
  }
  return attempt;
}

std::optional<std::variant<Ledger::HandedIn, NoText>>
ServedClass::hand_in(Desk& desk, const std::string& exercise) {
  const auto read = desk.files.read(exercise);
  if (const auto* why = std::get_if<NoText>(&read)) return *why;
  const auto& text = std::get<Text>(read);
  const auto& before = ledger_.handed_in(desk.id);
  if (const auto last = before.find(exercise);
      last != before.end() && last->second.version == text.version)
    return last->second;
  const auto kept = progress::timed_name(folder_ / "handed_in_all" / desk.id, exercise);
  if (progress::timed_before(kept) >= StudentFiles::kMostKept) return std::nullopt;
  const auto at = now();
  system::publish(kept, text.text, system::Durable::yes);
  system::publish(folder_ / "handed_in" / desk.id / "labs" / (exercise + ".cu"), text.text,
                  system::Durable::yes);
  ledger_.hand_in(desk.id, exercise, at, text.version);
  return ledger_.handed_in(desk.id).at(exercise);
}

void ServedClass::forget(const Participant& somebody) {
  const auto who = somebody; // what is read again is another one
  ledger_.forget(who.id);
  for (const char* one : {"students", "instructors", "handed_in", "handed_in_all"})
    fs::remove_all(folder_ / one / who.id);
  for (const char* table : {"roster.csv", "instructors.csv"})
    classroom::forget_in_table(folder_ / table, who.person);
  classroom::forget_in_settings(folder_ / "class.toml",
                                classroom::words_for(folder_, member_of(who)));
}

std::set<std::string> ServedClass::words_for(const Participant& who) const {
  return classroom::words_for(folder_, member_of(who));
}

// As `course class` counts them of what was handed in so far: of a lab it is as late as the last of
// its files.
std::map<std::string, classroom::LateLab> ServedClass::late_labs_of(const Participant& who) {
  std::map<std::string, std::int64_t> last;
  std::set<std::string> counted; // labs of which something is asked for
  const auto& asked = read_.settings.exercises;
  for (const auto& [exercise, one] : ledger_.handed_in(who.id)) {
    const auto lab = exercise.substr(0, exercise.find('/'));
    last[lab] = std::max(last[lab], one.at);
    if (asked.empty() || std::ranges::find(asked, exercise) != asked.end()) counted.insert(lab);
  }
  std::vector<classroom::HandedInLab> all;
  for (const auto& lab : counted) {
    const auto holds = classroom::due_of(read_.settings, who.id, lab);
    if (holds.due) all.push_back({lab, *holds.due, holds.submitted.value_or(last.at(lab))});
  }
  return classroom::late_labs(read_.settings, all);
}

json ServedClass::labs_for(const Participant& who,
                           const std::map<std::string, classroom::LateLab>& late) const {
  json labs = json::object();
  for (const auto& exercise : *means_.exercises) {
    const auto lab = exercise.lab();
    if (labs.contains(lab)) continue;
    const auto due = classroom::due_of(read_.settings, who.id, lab).due;
    const auto at = late.find(lab);
    labs[lab] = {{"due", due ? json(*due) : json()},
                 {"due_words", due ? classroom::time_in(*due, read_.settings.zone) : ""},
                 {"days_late", at == late.end() ? 0 : at->second.lateness.days},
                 {"free_days", at == late.end() ? 0 : at->second.free}};
  }
  return labs;
}

json ServedClass::state_for(const Participant& who) {
  json handed_in = json::object();
  for (const auto& [exercise, one] : ledger_.handed_in(who.id))
    handed_in[exercise] = {{"at", one.at},
                           {"words", classroom::time_in(one.at, read_.settings.zone)},
                           {"version", one.version},
                           {"times", one.times}};
  const auto late = late_labs_of(who);
  int left = read_.settings.free_days;
  for (const auto& [lab, one] : late) left -= one.free;
  return {{"name", read_.settings.course},
          {"who", who.person.name.empty() ? who.id : who.person.name},
          {"instructs", who.instructs},
          {"asked", read_.settings.exercises},
          {"labs", labs_for(who, late)},
          {"free_days", {{"in_all", read_.settings.free_days}, {"left", left}}},
          {"handed_in", handed_in}};
}

// How an exercise goes, over all students.
json ServedClass::exercises_of(const Ledger::Rows& rows) const {
  struct Sum {
    int tried = 0;
    std::vector<int> attempts;          // of those who solved it
    std::map<std::string, int> failing; // those who are not through, by what holds them up
  };
  std::map<std::string, Sum> sums;
  for (const auto& who : participants()) {
    const auto theirs = rows.find(who.id);
    if (who.instructs || theirs == rows.end()) continue;
    for (const auto& [exercise, row] : theirs->second) {
      auto& sum = sums[exercise];
      ++sum.tried;
      if (row.until_solved > 0)
        sum.attempts.push_back(row.until_solved);
      else
        ++sum.failing[row.latest.failed];
    }
  }
  json all = json::array();
  for (const auto& exercise : *means_.exercises) {
    const auto at = sums.find(exercise.id);
    if (at == sums.end()) continue;
    auto& [tried, attempts, failing] = at->second;
    std::ranges::sort(attempts);
    all.push_back({{"id", exercise.id},
                   {"title", exercise.title},
                   {"tried", tried},
                   {"solved", attempts.size()},
                   {"attempts", attempts.empty() ? json() : json(attempts[attempts.size() / 2])},
                   {"failing", failing}});
  }
  return all;
}

// Times are seconds: words in a zone would take as long as all the rest.
json ServedClass::exercises_of(const Participant& who, const Ledger::Rows& rows) {
  json all = json::object();
  if (const auto theirs = rows.find(who.id); theirs != rows.end())
    for (const auto& [exercise, row] : theirs->second)
      all[exercise] = {{"attempts", row.attempts},
                       {"until_solved", row.until_solved},
                       {"last_at", row.latest.at},
                       {"points", row.latest.points},
                       {"max_points", row.latest.max_points},
                       {"failed", row.latest.failed}};
  for (const auto& [exercise, one] : ledger_.handed_in(who.id))
    all[exercise]["handed_in_at"] = one.at;
  return all;
}

json ServedClass::overview() {
  const auto& rows = ledger_.rows();
  json students = json::array();
  for (const auto& who : participants())
    if (!who.instructs)
      students.push_back(
          {{"id", who.id}, {"name", who.person.name}, {"exercises", exercises_of(who, rows)}});
  return {{"students", students},
          {"exercises", exercises_of(rows)},
          {"fault", fault_ ? json_of(*fault_, folder_) : json()}};
}

} // namespace course::serve
