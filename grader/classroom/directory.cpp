#include "classroom/directory.hpp"

#include "classroom/text_encoding.hpp"

namespace course::classroom {
namespace {

std::string before_at(const std::string& email) {
  return email.substr(0, email.find('@'));
}

} // namespace

std::set<std::string> names_of(const Person& person) {
  std::set<std::string> names;
  for (const auto& one : {person.id, person.login, person.email, person.name, person.sortable})
    if (const auto plain = folded(one); !plain.empty()) names.insert(plain);
  if (const auto space = person.name.rfind(' '); space != person.name.npos) // "Smith Anna"
    names.insert(folded(person.name.substr(space)) + folded(person.name.substr(0, space)));
  return names;
}

std::vector<std::string> marks_of(const Person& person) {
  std::vector<std::string> marks;
  for (const auto& [what, value] :
       {std::pair("platform ", person.platform), std::pair("email ", person.email),
        std::pair("id ", person.id), std::pair("login ", person.login)})
    if (const auto plain = folded(value); !plain.empty()) marks.push_back(what + plain);
  return marks;
}

Directory::Directory(const std::vector<Person>& people) {
  for (std::size_t i = 0; i < people.size(); ++i) {
    const auto& person = people[i];
    for (const auto& mark : marks_of(person)) by_mark_.emplace(mark, i);
    for (const auto& name : names_of(person)) by_name_[name].insert(i);
    if (!person.email.empty()) by_name_[folded(before_at(person.email))].insert(i);
  }
}

std::set<std::size_t> Directory::all(const Person& described) const {
  for (const auto& mark : marks_of(described))
    if (const auto at = by_mark_.find(mark); at != by_mark_.end()) return {at->second};
  const auto name = folded(described.name);
  std::set<std::size_t> found;
  if (name.empty()) return found;
  for (const char* what : {"id ", "login ", "email "})
    if (const auto at = by_mark_.find(what + name); at != by_mark_.end()) found.insert(at->second);
  if (!found.empty()) return found;
  const auto at = by_name_.find(name);
  return at == by_name_.end() ? found : at->second;
}

std::optional<std::size_t> Directory::of(const Person& described) const {
  const auto found = all(described);
  return found.size() == 1 ? std::optional(*found.begin()) : std::nullopt;
}

} // namespace course::classroom
