// What an instructor writes of a class: class.toml, roster.csv, instructors.csv.
#pragma once

#include "classroom/people.hpp"
#include "classroom/settings.hpp"
#include "lab/exercise.hpp"

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace course::serve {

// What of a class's folder cannot be used.
struct ClassFault {
  enum class Why {
    no_roster,     // `where` is missing
    nobody,        // `where` names nobody
    no_plain_name, // `who`, at `where`, has no id, login or address that a folder can be called by
    twice,         // `who`, at `where`, is in the roster as well
    unknown,       // `who`, named at `where`, is nobody of the class, or more than one
    unreadable,    // `where` is a sentence of who reads such files, with file and line
  } why = Why::unreadable;
  std::string where, who = {}; // "roster.csv:12" where it is of one line
};
struct ClassError : std::runtime_error {
  explicit ClassError(ClassFault of) : std::runtime_error(of.where), fault(std::move(of)) {}
  ClassFault fault;
};

struct Participant {
  std::string id; // of nobody else, students and instructors alike; plain: a folder has it
  classroom::Person person;
  bool instructs = false;
};

struct ClassFolder {
  classroom::Settings settings; // exceptions are for Participant::id
  std::vector<Participant> participants;
  // Names that a server in front may say, in lower case, of all who have only one of that name.
  std::map<std::string, std::string> by_name;
};

// Throws ClassError and std::filesystem::filesystem_error.
ClassFolder read_class(const std::filesystem::path& folder, const std::vector<lab::Exercise>&);

// What stat says of these files: another one where somebody wrote one of them.
std::string stamp_of_class(const std::filesystem::path& folder);

} // namespace course::serve
