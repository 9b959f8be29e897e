#include "serve/class_folder.hpp"

#include "classroom/class_list.hpp"
#include "classroom/names.hpp"
#include "system/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <sys/stat.h>

namespace course::serve {
namespace {

namespace fs = std::filesystem;
using Why = ClassFault::Why;

constexpr const char *kSettings = "class.toml", *kRoster = "roster.csv",
                     *kInstructors = "instructors.csv";

std::string in_lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool is_in(const std::vector<Participant>& all, const std::string& id) {
  return std::ranges::find(all, id, &Participant::id) != all.end();
}

std::string at_line(const fs::path& file, const classroom::Person& person) {
  return fmt::format("{}:{}", file.string(), person.line);
}

classroom::Settings settings_of(const fs::path& file, const std::vector<lab::Exercise>& exercises) {
  const auto text = system::content_of(file);
  if (!text) return {};
  auto read = classroom::read_settings(*text, file.string(), exercises);
  if (const auto* wrong = std::get_if<std::string>(&read))
    throw ClassError({Why::unreadable, *wrong});
  return std::move(std::get<classroom::Settings>(read));
}

void add_people(ClassFolder& all, const fs::path& file, bool instruct) {
  const auto text = system::content_of(file);
  if (!text && instruct) return;
  if (!text) throw ClassError({Why::no_roster, file.string()});
  auto read = classroom::read_people(*text, file.string(), all.settings.teams);
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
          {Why::no_plain_name, at_line(file, person), person.name.empty() ? own : person.name});
  }
  for (auto& member : classroom::class_list(listing)) {
    if (is_in(all.participants, member.id))
      throw ClassError({Why::twice, at_line(file, member.person), member.id});
    all.participants.push_back({member.id, std::move(member.person), instruct});
  }
}

void find_exceptions(ClassFolder& all) {
  std::vector<classroom::Member> members;
  for (const auto& one : all.participants) {
    classroom::Member member;
    member.id = one.id;
    member.person = one.person;
    members.push_back(std::move(member));
  }
  for (auto& student : all.settings.students) {
    const auto meant = classroom::those_meant(members, student.who);
    if (meant.size() != 1) throw ClassError({Why::unknown, student.where, student.who});
    student.who = members[meant.front()].id;
  }
}

std::map<std::string, std::string> names_of(const std::vector<Participant>& all) {
  std::map<std::string, std::string> names;
  std::set<std::string> of_several;
  for (const auto& one : all)
    for (const auto& name : {one.person.login, one.person.email, one.person.id, one.id}) {
      const auto plain = in_lower_case(name);
      if (plain.empty()) continue;
      const auto [at, fresh] = names.emplace(plain, one.id);
      if (!fresh && at->second != one.id) of_several.insert(plain);
    }
  for (const auto& name : of_several) names.erase(name);
  return names;
}

} // namespace

ClassFolder read_class(const fs::path& folder, const std::vector<lab::Exercise>& exercises) {
  ClassFolder all;
  all.settings = settings_of(folder / kSettings, exercises);
  add_people(all, folder / kRoster, false);
  add_people(all, folder / kInstructors, true);
  find_exceptions(all);
  all.by_name = names_of(all.participants);
  return all;
}

std::string stamp_of_class(const fs::path& folder) {
  std::string stamps;
  for (const char* name : {kSettings, kRoster, kInstructors}) {
    struct stat status {};
    if (stat((folder / name).c_str(), &status) != 0) status = {};
    stamps += fmt::format("{} {} {} {},", status.st_ino, status.st_size, status.st_mtim.tv_sec,
                          status.st_mtim.tv_nsec);
  }
  return stamps;
}

} // namespace course::serve
