// What an instructor gives once and every later command uses: it is kept in the results.
//
//   RESULTS/class.toml          settings.hpp
//   RESULTS/people.csv          people.hpp: who is in the class
//   RESULTS/times/LAB/FILE      platform_times.hpp: when they handed in; LAB is `all` for all labs
#pragma once

#include "classroom/people.hpp"
#include "classroom/platform_times.hpp"
#include "classroom/settings.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace course::classroom {

// Files; what is empty stays as it was given before.
struct Given {
  std::string settings, people;
  std::vector<std::string> times; // "FILE", "05_transpose=FILE", "05=FILE"; "none" forgets all
};

struct Kept {
  Settings settings;
  std::vector<Person> people;
  std::map<std::string, std::vector<PlatformTime>> times; // by lab, "" for all
};

// What is given now, and of the rest what was kept: times are given for a lab, or for all, and
// those of the others stay. A sentence with file and line when something of it cannot be used.
std::variant<Kept, std::string> read_given(const std::filesystem::path& results, const Given&,
                                           const std::vector<lab::Exercise>&);

// Puts what is given into the results. Throws std::filesystem::filesystem_error.
void keep_given(const std::filesystem::path& results, const Given&,
                const std::vector<lab::Exercise>&);

// "05_transpose=X" or "05=X" in two: the lab and X; no lab where none is named. A sentence when
// there is no such lab.
struct OfLab {
  std::string lab, value;
};
std::variant<OfLab, std::string> split_lab(const std::string& given,
                                           const std::vector<lab::Exercise>&);

} // namespace course::classroom
