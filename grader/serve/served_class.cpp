#include "serve/served_class.hpp"

#include "build/digest.hpp"
#include "classroom/names.hpp"
#include "lab/labs.hpp"
#include "progress/kept_name.hpp"
#include "progress/log.hpp"
#include "progress/standing.hpp"
#include "system/file.hpp"
#include "system/published_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace course::serve {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Why = ClassFault::Why;

// Of its owner alone, from the start: keys and everybody's work lie below it.
fs::path private_folder(const fs::path& folder) {
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms::owner_all);
  return folder;
}

std::string in_lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
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

// The line of the run that was logged last, for others; empty where it is not for them.
std::string event_for_others(const fs::path& log, const std::string& exercise) {
  const auto events = progress::Log(log).read().events;
  const auto* run = progress::last_run(events, exercise);
  // What is said of answers depends on those that this student gave before.
  return run && run->run.answers.empty() ? progress::line_of(*run) : std::string();
}

} // namespace

ServedClass::ServedClass(fs::path folder, Means means)
    : folder_(std::move(folder)), means_(std::move(means)),
      ledger_(private_folder(folder_ / "serve") / "ledger.sqlite"), seed_(ledger_.seed()) {
  const auto file = folder_ / "class.toml";
  if (const auto text = system::content_of(file)) {
    auto read = classroom::read_settings(*text, file.string(), *means_.exercises);
    if (const auto* wrong = std::get_if<std::string>(&read))
      throw ClassError({Why::unreadable, *wrong});
    settings_ = std::move(std::get<classroom::Settings>(read));
  }
  read_people("roster.csv", false);
  read_people("instructors.csv", true);
  find_exceptions();
}

void ServedClass::prepare() {
  std::error_code none;
  fs::remove_all(scratch(), none); // of a server that was killed
  for (const char* one : {"students", "instructors", "handed_in", "handed_in_all"})
    private_folder(folder_ / one);
  private_folder(scratch());
}

void ServedClass::read_people(const char* name, bool instruct) {
  const auto file = folder_ / name;
  const auto text = system::content_of(file);
  if (!text && instruct) return;
  if (!text) throw ClassError({Why::no_roster, file.string()});
  auto read = classroom::read_people(*text, file.string(), settings_.teams);
  if (const auto* wrong = std::get_if<std::string>(&read))
    throw ClassError({Why::unreadable, *wrong});
  classroom::ClassListing listing;
  listing.people = std::move(std::get<std::vector<classroom::Person>>(read));
  if (listing.people.empty()) {
    if (instruct) return;
    throw ClassError({Why::nobody, file.string()});
  }
  // A folder's name is what `course class` finds somebody by.
  for (auto& person : listing.people) {
    if (person.id.empty() && person.login.empty()) person.login = person.email;
    const auto& own = person.id.empty() ? person.login : person.id;
    if (own.empty() || classroom::id_of(own) != own)
      throw ClassError(
          {Why::no_plain_name, file.string(), person.name.empty() ? own : person.name});
  }
  for (auto& member : classroom::class_list(listing)) {
    if (find(member.id)) throw ClassError({Why::twice, file.string(), member.id});
    participants_.push_back({member.id, std::move(member.person), instruct});
  }
}

void ServedClass::find_exceptions() {
  std::vector<classroom::Member> members;
  for (const auto& one : participants_) {
    classroom::Member member;
    member.id = one.id;
    member.person = one.person;
    members.push_back(std::move(member));
  }
  for (auto& student : settings_.students) {
    const auto meant = classroom::those_meant(members, student.who);
    if (meant.size() != 1) throw ClassError({Why::unknown, student.where, student.who});
    student.who = members[meant.front()].id;
  }
}

const Participant* ServedClass::find(const std::string& id) const {
  const auto at = std::ranges::find(participants_, id, &Participant::id);
  return at == participants_.end() ? nullptr : &*at;
}

std::map<std::string, std::string> ServedClass::by_name() const {
  std::map<std::string, std::string> names;
  std::set<std::string> of_several;
  for (const auto& one : participants_)
    for (const auto& name : {one.person.login, one.person.email, one.person.id, one.id}) {
      const auto plain = in_lower_case(name);
      if (plain.empty()) continue;
      const auto [at, fresh] = names.emplace(plain, one.id);
      if (!fresh && at->second != one.id) of_several.insert(plain);
    }
  for (const auto& name : of_several) names.erase(name);
  return names;
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
  if (const auto last = ledger_.handed_in(desk.id)[exercise]; last.version == text.version)
    return last;
  const auto kept = progress::timed_name(folder_ / "handed_in_all" / desk.id, exercise);
  if (progress::timed_before(kept) >= StudentFiles::kMostKept) return std::nullopt;
  const auto at = now();
  system::publish(kept, text.text, system::Durable::yes);
  system::publish(folder_ / "handed_in" / desk.id / "labs" / (exercise + ".cu"), text.text,
                  system::Durable::yes);
  ledger_.hand_in(desk.id, exercise, at, text.version);
  return ledger_.handed_in(desk.id)[exercise];
}

json ServedClass::labs_for(const Participant& who) const {
  json labs = json::object();
  for (const auto& exercise : *means_.exercises) {
    const auto lab = exercise.lab();
    if (labs.contains(lab)) continue;
    const auto due = classroom::due_of(settings_, who.id, lab).due;
    labs[lab] = {{"due", due ? json(*due) : json()},
                 {"due_words", due ? classroom::time_in(*due, settings_.zone) : ""}};
  }
  return labs;
}

json ServedClass::state_for(const Participant& who) {
  json handed_in = json::object();
  for (const auto& [exercise, one] : ledger_.handed_in(who.id))
    handed_in[exercise] = {{"at", one.at},
                           {"words", classroom::time_in(one.at, settings_.zone)},
                           {"version", one.version},
                           {"times", one.times}};
  return {{"name", settings_.course},   {"who", who.person.name.empty() ? who.id : who.person.name},
          {"instructs", who.instructs}, {"asked", settings_.exercises},
          {"labs", labs_for(who)},      {"handed_in", handed_in}};
}

json ServedClass::exercises_of(const std::vector<Ledger::Row>& rows) const {
  json all = json::array();
  const auto instructs = [&](const std::string& person) {
    const auto* who = find(person);
    return who && who->instructs;
  };
  for (const auto& exercise : *means_.exercises) {
    int tried = 0, solved = 0;
    std::vector<int> attempts;
    std::map<std::string, int> failing; // those who are not through, by what holds them up
    for (const auto& row : rows) {
      if (row.latest.exercise != exercise.id || instructs(row.latest.person)) continue;
      ++tried;
      if (row.until_solved > 0) {
        ++solved;
        attempts.push_back(row.until_solved);
      } else {
        ++failing[row.latest.failed];
      }
    }
    if (tried == 0) continue;
    std::ranges::sort(attempts);
    all.push_back({{"id", exercise.id},
                   {"title", exercise.title},
                   {"tried", tried},
                   {"solved", solved},
                   {"attempts", attempts.empty() ? json() : json(attempts[attempts.size() / 2])},
                   {"failing", failing}});
  }
  return all;
}

json ServedClass::overview() {
  const auto rows = ledger_.rows();
  json students = json::array();
  for (const auto& who : participants_) {
    if (who.instructs) continue;
    json exercises = json::object();
    for (const auto& row : rows)
      if (row.latest.person == who.id)
        exercises[row.latest.exercise] = {
            {"attempts", row.attempts},
            {"until_solved", row.until_solved},
            {"last", classroom::time_in(row.latest.at, settings_.zone)},
            {"last_at", row.latest.at},
            {"points", row.latest.points},
            {"max_points", row.latest.max_points},
            {"failed", row.latest.failed}};
    for (const auto& [exercise, one] : ledger_.handed_in(who.id))
      exercises[exercise]["handed_in"] = classroom::time_in(one.at, settings_.zone);
    students.push_back({{"id", who.id}, {"name", who.person.name}, {"exercises", exercises}});
  }
  return {{"students", students}, {"exercises", exercises_of(rows)}};
}

} // namespace course::serve
