#include "classroom/class_list.hpp"

#include "build/digest.hpp"
#include "classroom/directory.hpp"
#include "classroom/names.hpp"
#include "classroom/text_encoding.hpp"
#include "language/translate.hpp"
#include "system/fields.hpp"
#include "system/published_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string in_lower_case(std::string id) { // of plain letters
  std::ranges::transform(id, id.begin(), [](unsigned char c) { return std::tolower(c); });
  return id;
}

class Listing {
public:
  explicit Listing(const ClassListing& all)
      : all_(all), people_(all.people.empty() ? submitters(all) : all.people), directory_(people_),
        of_person_(people_.size()) {
    for (const auto& [lab, times] : all.times)
      for (const auto& time : times)
        if (!time.folder.empty()) by_folder_[{lab, time.folder}].push_back(&time.who);
    for (const auto& entry : all.entries) {
      by_record_[entry.record()] = &entry;
      auto& namesakes = namesakes_[one_form(entry.name)];
      namesakes.most = std::max(namesakes.most, ++namesakes.in_lab[entry.lab]);
      if (entry.lasting) namesakes.numbers.insert(entry.number);
    }
  }

  std::vector<Member> members() {
    for (const auto& entry : all_.entries) place(entry);
    share_among_teams();
    std::vector<Member> members;
    for (std::size_t i = 0; i < people_.size(); ++i) members.push_back(member(i));
    for (const auto& [who, entries] : strangers_) members.push_back(stranger(entries));
    give_ids(members);
    note_namesakes(members);
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
  struct Namesakes {
    std::map<std::string, int> in_lab;
    int most = 0;                  // in one folder
    std::set<std::string> numbers; // that last
  };
  using LabAndName = std::pair<std::string, std::string>;
  std::map<LabAndName, std::vector<const Entry*>> strangers_; // by who they seem to be
  std::map<std::string, Namesakes> namesakes_;
  std::map<std::string, const Entry*> by_record_;
  std::map<LabAndName, std::vector<const Person*>> by_folder_; // of Gradescope

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
    if (const auto at = by_folder_.find({entry.lab, entry.name}); at != by_folder_.end())
      for (const auto* who : at->second)
        if (const auto one = directory_.of(*who)) found.insert(*one);
    if (!found.empty()) return found;
    if (const auto one = directory_.of(described(entry))) found.insert(*one);
    return found;
  }

  static Person described(const Entry& entry) {
    Person person;
    person.platform = entry.number;
    person.name = entry.name;
    return person;
  }

  void place(const Entry& entry) {
    const auto people = people_of(entry);
    for (const auto one : people) of_person_[one].push_back({&entry, one});
    if (people.empty()) strangers_[seems(entry)].push_back(&entry);
  }

  // The same in the folders of other labs: the name, where only one has it anywhere; else with the
  // number.
  LabAndName seems(const Entry& entry) const {
    const auto name = one_form(entry.name);
    const auto& namesakes = namesakes_.at(name);
    if (namesakes.most == 1 && namesakes.numbers.size() <= 1) return {"name", name};
    return {"number", one_form(entry.own)};
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

  // By names, or by IDs where those do not tell them apart.
  static std::string which_counts(const std::vector<Work>& work) {
    std::set<std::string> names;
    std::vector<std::string> shown, ids;
    for (const auto& one : work) {
      names.insert(folded(one.entry->name));
      shown.push_back(one.entry->name);
      ids.push_back(one.entry->id);
    }
    if (names.size() < work.size()) shown = ids;
    if (shown.size() == 2)
      return tr("There are two submissions for them, {} and {}: which one counts?", shown[0],
                shown[1]);
    return tr("There are several submissions for them: {}. Which one counts?",
              system::joined(shown, tr(", ")));
  }

  static void hand_in(Member& member, const Entry& entry) {
    member.submissions[entry.lab] = entry.record();
    member.called.insert({entry.id, entry.label(), entry.former(), former_id_of(entry.own)});
  }

  Member member(std::size_t i) const {
    Member member;
    member.person = people_[i];
    for (const auto& one : {member.person.id, member.person.login, member.person.name})
      if (!one.empty()) member.called.insert(former_id_of(one));
    if (member.person.name.empty())
      for (const auto& one : {member.person.login, member.person.email, member.person.id})
        if (member.person.name.empty()) member.person.name = one;
    std::map<std::string, std::vector<Work>> of_lab;
    for (const auto& work : of_person_[i]) of_lab[work.entry->lab].push_back(work);
    for (const auto& [lab, work] : of_lab) {
      if (work.size() > 1) {
        member.problems[lab] = which_counts(work);
        continue;
      }
      hand_in(member, *work[0].entry);
      if (work[0].by != i)
        member.notes.push_back(
            lab.empty()
                ? tr("Handed in by {}, of the same team.", people_[work[0].by].name)
                : tr("Handed in by {}, of the same team: {}.", people_[work[0].by].name, lab));
    }
    return member;
  }

  Member stranger(const std::vector<const Entry*>& entries) const {
    const auto& first = *entries.front();
    Member member;
    member.person.name = first.name;
    member.person.platform = first.number;
    for (const auto* entry : entries) hand_in(member, *entry);
    if (all_.people.empty()) return member;
    const auto meant = directory_.all(described(first));
    if (meant.size() > 1) {
      const auto &one = people_[*meant.begin()], &other = people_[*meant.rbegin()];
      member.notes.push_back(
          tr("It could be of {} or of {}, and counts for neither.", in_full(one), in_full(other)));
    }
    member.notes.push_back(tr("Not on the roster."));
    return member;
  }

  static std::string in_full(const Person& person) {
    std::string words;
    for (const auto& one : {person.name, person.id, person.email})
      if (!one.empty()) words += (words.empty() ? "" : ", ") + one;
    return words;
  }

  void give_times(std::vector<Member>& members) const {
    std::vector<Person> persons;
    std::map<std::string, std::vector<std::size_t>> by_submission;
    for (const auto& member : members) {
      for (const auto& [lab, id] : member.submissions) by_submission[id].push_back(persons.size());
      persons.push_back(member.person);
    }
    std::map<LabAndName, std::string> of_folder;
    for (const auto& entry : all_.entries) of_folder[{entry.lab, entry.name}] = entry.record();
    const Directory directory(persons);
    for (const auto& [lab, times] : all_.times)
      for (const auto& time : times) {
        std::vector<std::size_t> whose;
        if (const auto at = by_submission.find(of_folder[{lab, time.folder}]);
            at != by_submission.end())
          whose = at->second;
        if (const auto one = directory.of(time.who); whose.empty() && one) {
          const auto submission = members[*one].submission(lab);
          // Of a team, all handed in then.
          whose = submission.empty() ? std::vector{*one} : by_submission.at(submission);
        }
        for (const auto one : whose) members[one].times[lab] = {time.at, time.clock};
      }
  }

  std::string first_id(const Member& member) const {
    const auto& person = member.person;
    if (!person.id.empty()) return id_of(person.id);
    if (!member.submissions.empty() && person.team.empty())
      return by_record_.at(member.submissions.begin()->second)->id;
    return id_of(person.login.empty() ? person.name : person.login);
  }

  // Two of a roster of names alone are told apart by their order.
  static std::string identity(const Person& person, int place) {
    build::Digest who;
    for (const auto& one : {person.id, person.login, person.email, person.name, person.sortable,
                            person.section, person.team, person.platform})
      who.add(one);
    return who.add(std::to_string(place)).hex();
  }

  // Where IDs would meet, if only on a file system that does not tell case, each gets a digest of
  // who it is: nobody's depends on who came first.
  void give_ids(std::vector<Member>& members) const {
    std::map<std::string, int> meeting;
    for (auto& member : members) ++meeting[in_lower_case(member.id = first_id(member))];
    std::set<std::string> given;
    for (auto& member : members) {
      const auto first = member.id;
      if (meeting[in_lower_case(first)] > 1)
        for (int place = 0; place == 0 || given.contains(in_lower_case(member.id)); ++place)
          member.id = with_digest(first, identity(member.person, place));
      given.insert(in_lower_case(member.id));
    }
  }

  // Two rows that a reader could take for one say so.
  static void note_namesakes(std::vector<Member>& members) {
    std::map<std::string, std::vector<Member*>> by_name;
    for (auto& member : members) by_name[folded(member.person.name)].push_back(&member);
    for (const auto& [name, all] : by_name)
      for (auto* one : all)
        if (!name.empty() && all.size() > 1) one->notes.push_back(namesake_note(*one, all));
  }

  static std::string namesake_note(const Member& member, const std::vector<Member*>& all) {
    const auto* other = all.front() == &member ? all[1] : all.front();
    return tr("{} has a name like this one's: the IDs tell them apart.", other->id);
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
          {"called", member.called},
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
  member.called = json.value("called", std::set<std::string>{});
  member.notes = json.at("notes").get<std::vector<std::string>>();
  for (const auto& [lab, time] : json.at("times").items())
    member.times[lab] = {time.at(0).get<std::int64_t>(), time.at(1).get<std::string>()};
  return member;
}

} // namespace

std::vector<std::size_t> those_meant(const std::vector<Member>& members, const std::string& who) {
  const auto plain = folded(who);
  std::array<std::vector<std::size_t>, 3> by;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i].id == who) by[0].push_back(i);
    if (names_of(members[i].person).contains(plain)) by[1].push_back(i);
    if (members[i].called.contains(who)) by[2].push_back(i);
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
