// What a class run is about: who handed in, what is asked for, and one CTest test for each.
//
//   RESULTS/plan.json      settings of the run that have to hold when it is taken up again
//   RESULTS/roster.txt     ids, one a line, in the order of all tables
//   RESULTS/records/       a record for everybody from the first moment
//   RESULTS/ctest/         for CTest: ctest --test-dir RESULTS/ctest
#pragma once

#include "classroom/class_list.hpp"
#include "lab/exercise.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace course::classroom {

struct Plan {
  std::map<std::string, std::filesystem::path> submissions; // absolute; by lab, "" for all
  std::uint64_t seed = 0;                                   // of all inputs
  std::string device;                                       // "emulated" or "gpu"
  std::vector<std::string> formats;                 // of results for other services (outputs.hpp)
  std::vector<std::filesystem::path> alike_to = {}; // folders that files are compared with
};

std::optional<Plan> read_plan(const std::filesystem::path& results);
std::vector<std::string> read_roster(const std::filesystem::path& results);

struct Planning {
  std::filesystem::path results;
  Plan plan;
  const std::vector<lab::Exercise>* exercises = nullptr;
  std::vector<std::string> command; // that grades one submission; its id is added
  std::vector<std::string> gpus;    // empty: no test asks for one
  std::vector<Person> people;       // on the instructor's roster; empty: none
  std::string encoding = {};        // of names that are no Unicode (text_encoding.hpp)
  std::map<std::string, std::vector<PlatformTime>> times; // by lab, "" for all (class_list.hpp)
};

struct Planned {
  std::size_t submissions = 0;
  std::vector<std::string> passed_over; // files beside them that are nobody's
};

// Writes all of it, and the list of the class. Records that are there stay as they are; those of
// who is gone go. Gradescope's list in the folder of submissions is read as one of the times; a
// sentence when it cannot be. Throws std::filesystem::filesystem_error.
std::variant<Planned, std::string> make_plan(const Planning&);

// The labs that a submission has files of; nothing when looking into it ended the process that did.
// One process looks into many: those it ends at get no labs.
std::vector<std::vector<std::string>> labs_of(const std::vector<Entry>& submissions,
                                              const std::vector<lab::Exercise>& exercises,
                                              const std::filesystem::path& scratch);

} // namespace course::classroom
