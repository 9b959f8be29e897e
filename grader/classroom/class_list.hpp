// Who has a row in the tables: everybody on the instructor's roster, with what they or their team
// handed in, and whoever else handed in something. Without a roster, who handed in.
#pragma once

#include "classroom/people.hpp"
#include "classroom/platform_times.hpp"
#include "classroom/roster.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace course::classroom {

struct HandedInAt {
  std::int64_t at = 0; // seconds since 1970
  std::string clock;   // "Moodle"
};

struct Member {
  std::string id; // safe for files and URLs; of nobody else, whatever the case of its letters
  Person person;  // its name is never empty
  // By the lab that a folder is of, "" for all: its record (Entry::record), or why it cannot be
  // told what to grade. Neither: nothing was handed in.
  std::map<std::string, std::string> submissions, problems;
  std::set<std::string> called;            // what was handed in, here and by older versions
  std::vector<std::string> notes;          // for the instructor, a sentence each
  std::map<std::string, HandedInAt> times; // that a platform says: by lab, "" for all labs

  // What is handed in for a lab, "" for all: its record; empty: nothing.
  std::string submission(const std::string& lab) const;
  std::string problem(const std::string& lab) const;
};

struct ClassListing {
  std::vector<Entry> entries;
  std::vector<Person> people;                             // none: no roster
  std::map<std::string, std::vector<PlatformTime>> times; // by lab, "" for all
};

// Whom a word of an instructor may mean: whose id it is; else whose name, ID, address or login;
// else who have handed in what is called so.
std::vector<std::size_t> those_meant(const std::vector<Member>&, const std::string& who);

// With a roster, in its order, then the others; else in the order of the entries.
std::vector<Member> class_list(const ClassListing&);

// RESULTS/students.json. Throws std::filesystem::filesystem_error.
void write_members(const std::filesystem::path& results, const std::vector<Member>&);
// None when there is no such file, or it is damaged.
std::vector<Member> read_members(const std::filesystem::path& results);

} // namespace course::classroom
