// What differs between two runs of a class: RESULTS/grades.json of each.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace course::classroom {

struct Change {
  std::string student, exercise; // exercise: empty where a student is in one of them only
  std::string before, after;     // "passed, 60 of 60"; empty: not there
};

// In the order of the new run; who is gone comes last. A sentence when one cannot be read.
std::variant<std::vector<Change>, std::string> compare(const std::filesystem::path& before,
                                                       const std::filesystem::path& after);

} // namespace course::classroom
