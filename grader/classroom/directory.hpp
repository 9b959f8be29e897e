// Who of a list is meant by a name, a number, a login or an address.
#pragma once

#include "classroom/people.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace course::classroom {

// Everything by which a person may be named, folded.
std::set<std::string> names_of(const Person&);

// What only one person can have, each with a word that says what it is.
std::vector<std::string> marks_of(const Person&);

// Who is meant: by what only one person can have, else by a name that only one of them has.
class Directory {
public:
  explicit Directory(const std::vector<Person>&);

  // More than one where it cannot be told who of them it is.
  std::set<std::size_t> all(const Person& described) const;
  // The only one; none where it is nobody, or could be several.
  std::optional<std::size_t> of(const Person& described) const;

private:
  std::map<std::string, std::size_t> by_mark_;
  std::map<std::string, std::set<std::size_t>> by_name_;
};

} // namespace course::classroom
