#include "classroom/class_list.hpp"

#include "build/digest.hpp"
#include "classroom/names.hpp"
#include "classroom/text_encoding.hpp"
#include "language/translate.hpp"
#include "system/published_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string before_at(const std::string& email) {
  return email.substr(0, email.find('@'));
}

// Everything by which a person may be named, folded.
std::set<std::string> names_of(const Person& person) {
  std::set<std::string> names;
  for (const auto& one : {person.id, person.login, person.email, person.name, person.sortable})
    if (const auto plain = folded(one); !plain.empty()) names.insert(plain);
  if (const auto space = person.name.rfind(' '); space != person.name.npos) // "Smith Anna"
    names.insert(folded(person.name.substr(space)) + folded(person.name.substr(0, space)));
  return names;
}

// What only one person can have, each with a word that says what it is.
std::vector<std::string> marks_of(const Person& person) {
  std::vector<std::string> marks;
  for (const auto& [what, value] :
       {std::pair("platform ", person.platform), std::pair("email ", person.email),
        std::pair("id ", person.id), std::pair("login ", person.login)})
    if (const auto plain = folded(value); !plain.empty()) marks.push_back(what + plain);
  return marks;
}

// Who is meant: by what only one person can have, else by a name that only one of them has.
class Directory {
public:
  explicit Directory(const std::vector<Person>& people) {
    for (std::size_t i = 0; i < people.size(); ++i) {
      const auto& person = people[i];
      for (const auto& mark : marks_of(person)) by_mark_.emplace(mark, i);
      for (const auto& name : names_of(person)) by_name_[name].insert(i);
      if (!person.email.empty()) by_name_[folded(before_at(person.email))].insert(i);
    }
  }

  std::optional<std::size_t> of(const Person& described) const {
    for (const auto& mark : marks_of(described))
      if (const auto at = by_mark_.find(mark); at != by_mark_.end()) return at->second;
    const auto name = folded(described.name);
    for (const char* what : {"id ", "login ", "email "})
      if (const auto at = by_mark_.find(what + name); at != by_mark_.end()) return at->second;
    const auto at = by_name_.find(name);
    if (at == by_name_.end() || at->second.size() != 1) return std::nullopt;
    return *at->second.begin();
  }

private:
  std::map<std::string, std::size_t> by_mark_;
  std::map<std::string, std::set<std::size_t>> by_name_;
};

class Listing {
public:
  explicit Listing(const ClassListing& all)
      : all_(all), people_(all.people.empty() ? submitters(all) : all.people), directory_(people_),
        of_person_(people_.size()) {
    for (const auto& [lab, times] : all.times)
      for (const auto& time : times)
        if (!time.folder.empty()) by_folder_[time.folder].push_back(&time.who);
    for (const auto& entry : all.entries) ++named_[{entry.lab, entry.name}];
  }

  std::vector<Member> members() {
    for (const auto& entry : all_.entries) place(entry);
    share_among_teams();
    std::vector<Member> members;
    for (std::size_t i = 0; i < people_.size(); ++i) members.push_back(member(i));
    for (const auto& [who, entries] : strangers_) members.push_back(stranger(entries));
    for (auto& one : members) one.id = unique_id(one);
    give_times(members);
    return members;
  }

private:
  struct Work {
    const Entry* entry = nullptr;
    std::size_t by = 0; // whose
  };
  const ClassListing& all_;
  std::vector<Person> people_;
  Directory directory_;
  std::vector<std::vector<Work>> of_person_;
  std::map<std::string, std::vector<const Entry*>> strangers_;  // by who they seem to be
  std::map<std::pair<std::string, std::string>, int> named_;    // entries of a folder by names
  std::map<std::string, std::vector<const Person*>> by_folder_; // of Gradescope
  std::set<std::string> ids_;

  // Whom a platform's export names, where there is no roster.
  static std::vector<Person> submitters(const ClassListing& all) {
    std::vector<Person> people;
    std::set<std::string> known;
    for (const auto& [lab, times] : all.times)
      for (const auto& time : times) {
        if (time.folder.empty()) continue;
        const auto marks = marks_of(time.who);
        const auto name = marks.empty() ? folded(time.who.name) : marks.front();
        if (known.insert(name).second) people.push_back(time.who);
      }
    return people;
  }

  // "submission_4711" of Gradescope is by whom its list says.
  std::set<std::size_t> people_of(const Entry& entry) const {
    std::set<std::size_t> found;
    if (const auto at = by_folder_.find(entry.name); at != by_folder_.end())
      for (const auto* who : at->second)
        if (const auto one = directory_.of(*who)) found.insert(*one);
    if (!found.empty()) return found;
    Person described;
    described.platform = entry.number;
    described.name = entry.name;
    if (const auto one = directory_.of(described)) found.insert(*one);
    return found;
  }

  void place(const Entry& entry) {
    const auto people = people_of(entry);
    for (const auto one : people) of_person_[one].push_back({&entry, one});
    if (people.empty()) strangers_[seems(entry)].push_back(&entry);
  }

  // The same in the folders of other labs: the name, where only one has it; else with the number.
  std::string seems(const Entry& entry) const {
    return named_.at({entry.lab, entry.name}) == 1 ? entry.name : entry.id;
  }

  void share_among_teams() {
    std::map<std::string, std::vector<Work>> of_team;
    for (std::size_t i = 0; i < people_.size(); ++i)
      if (!people_[i].team.empty())
        for (const auto& work : of_person_[i]) of_team[people_[i].team].push_back(work);
    for (std::size_t i = 0; i < people_.size(); ++i) {
      const auto team = of_team.find(people_[i].team);
      if (people_[i].team.empty() || team == of_team.end()) continue;
      auto& own = of_person_[i];
      for (const auto& work : team->second)
        if (std::none_of(own.begin(), own.end(), [&](auto& o) { return o.entry == work.entry; }))
          own.push_back(work);
    }
  }

  Member member(std::size_t i) const {
    Member member;
    member.person = people_[i];
    if (member.person.name.empty())
      for (const auto& one : {member.person.login, member.person.email, member.person.id})
        if (member.person.name.empty()) member.person.name = one;
    std::map<std::string, std::vector<Work>> of_lab;
    for (const auto& work : of_person_[i]) of_lab[work.entry->lab].push_back(work);
    for (const auto& [lab, work] : of_lab) {
      if (work.size() > 1) {
        member.problems[lab] =
            tr("There are two submissions for them, {} and {}: which one counts?",
               work[0].entry->name, work[1].entry->name);
        continue;
      }
      member.submissions[lab] = work[0].entry->record();
      if (work[0].by != i)
        member.notes.push_back(
            lab.empty()
                ? tr("Handed in by {}, of the same team.", people_[work[0].by].name)
                : tr("Handed in by {}, of the same team: {}.", people_[work[0].by].name, lab));
    }
    return member;
  }

  Member stranger(const std::vector<const Entry*>& entries) const {
    Member member;
    member.person.name = entries.front()->name;
    member.person.platform = entries.front()->number;
    for (const auto* entry : entries) member.submissions[entry->lab] = entry->record();
    if (!all_.people.empty()) member.notes.push_back(tr("Not on the roster."));
    return member;
  }

  void give_times(std::vector<Member>& members) const {
    std::vector<Person> persons;
    std::map<std::string, std::vector<std::size_t>> by_submission;
    for (const auto& member : members) {
      for (const auto& [lab, id] : member.submissions) by_submission[id].push_back(persons.size());
      persons.push_back(member.person);
    }
    std::map<std::string, std::string> of_folder;
    for (const auto& entry : all_.entries) of_folder[entry.name] = entry.record();
    const Directory directory(persons);
    for (const auto& [lab, times] : all_.times)
      for (const auto& time : times) {
        std::vector<std::size_t> whose;
        if (const auto at = by_submission.find(of_folder[time.folder]); at != by_submission.end())
          whose = at->second;
        if (const auto one = directory.of(time.who); whose.empty() && one) {
          const auto submission = members[*one].submission(lab);
          // Of a team, all handed in then.
          whose = submission.empty() ? std::vector{*one} : by_submission.at(submission);
        }
        for (const auto one : whose) members[one].times[lab] = {time.at, time.clock};
      }
  }

  // As the first folder has it.
  static std::string folder_id(const Member& member) {
    const auto& [lab, record] = *member.submissions.begin();
    return lab.empty() ? record : record.substr(lab.size() + 1);
  }

  std::string unique_id(const Member& member) {
    const auto& person = member.person;
    auto id = person.id.empty() ? "" : id_of(person.id);
    if (id.empty() && !member.submissions.empty() && person.team.empty()) id = folder_id(member);
    if (id.empty()) id = id_of(person.login.empty() ? person.name : person.login);
    if (ids_.insert(id).second) return id;
    id +=
        "-" + build::digest(person.email + person.name + std::to_string(ids_.size())).substr(0, 8);
    ids_.insert(id);
    return id;
  }
};

Json to_json(const Member& member) {
  const auto& person = member.person;
  Json times = Json::object();
  for (const auto& [lab, time] : member.times) times[lab] = {time.at, time.clock};
  return {{"id", member.id},
          {"name", person.name},
          {"sortable", person.sortable},
          {"school_id", person.id},
          {"email", person.email},
          {"login", person.login},
          {"section", person.section},
          {"team", person.team},
          {"platform", person.platform},
          {"submissions", member.submissions},
          {"problems", member.problems},
          {"notes", member.notes},
          {"times", times}};
}

Member member_of(const Json& json) {
  Member member;
  member.id = json.at("id");
  member.person = {json.at("school_id"), json.at("name"),    json.at("sortable"),
                   json.at("email"),     json.at("login"),   json.at("section"),
                   json.at("team"),      json.at("platform")};
  member.submissions = json.at("submissions").get<std::map<std::string, std::string>>();
  member.problems = json.at("problems").get<std::map<std::string, std::string>>();
  member.notes = json.at("notes").get<std::vector<std::string>>();
  for (const auto& [lab, time] : json.at("times").items())
    member.times[lab] = {time.at(0).get<std::int64_t>(), time.at(1).get<std::string>()};
  return member;
}

} // namespace

std::vector<std::size_t> those_meant(const std::vector<Member>& members, const std::string& who) {
  const auto plain = folded(who);
  const auto handed_in = [&](const Member& member) {
    return std::ranges::any_of(member.submissions,
                               [&](const auto& one) { return one.second == who; });
  };
  std::array<std::vector<std::size_t>, 3> by;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i].id == who) by[0].push_back(i);
    if (names_of(members[i].person).contains(plain)) by[1].push_back(i);
    if (handed_in(members[i])) by[2].push_back(i);
  }
  for (auto& found : by)
    if (!found.empty()) return found;
  return {};
}

std::string Member::submission(const std::string& lab) const {
  for (const auto& of : {lab, std::string()})
    if (const auto at = submissions.find(of); at != submissions.end()) return at->second;
  return "";
}

std::string Member::problem(const std::string& lab) const {
  for (const auto& of : {lab, std::string()}) {
    if (submissions.contains(of)) return "";
    if (const auto at = problems.find(of); at != problems.end()) return at->second;
  }
  return "";
}

std::vector<Member> class_list(const ClassListing& all) {
  return Listing(all).members();
}

void write_members(const fs::path& results, const std::vector<Member>& members) {
  Json json = Json::array();
  for (const auto& member : members) json.push_back(to_json(member));
  const auto text = json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  system::publish(results / "students.json", text, system::Durable::yes);
}

std::vector<Member> read_members(const fs::path& results) {
  const auto text = system::content_of(results / "students.json");
  const auto json = Json::parse(text.value_or(""), nullptr, false);
  std::vector<Member> members;
  try {
    if (json.is_array())
      for (const auto& one : json) members.push_back(member_of(one));
  } catch (const Json::exception&) {
    members.clear();
  }
  return members;
}

} // namespace course::classroom
