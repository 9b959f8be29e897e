// What students get of limits that the solution sets, since they do not get the solution.
#pragma once

#include "lab/exercise.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace course::cli {

// Lines of data by the files that they end, below the course's folder (lab/solution_limits.hpp); no
// compiler is needed where the data give all limits. Or what to complain of.
std::variant<std::map<std::filesystem::path, std::string>, std::string>
limits_for_students(const std::vector<lab::Exercise>&);

} // namespace course::cli
