// Findings with their source lines as SARIF 2.1.0 (OASIS), for code scanning and editors.
#pragma once

#include "report/faults.hpp"
#include "report/graded.hpp"

#include <string>
#include <vector>

namespace course::report {

// `version`: of the grader.
nlohmann::ordered_json sarif(const GradedStudent&, const std::string& version);

// The same of any faults, whose rules are described as "<about><rule>.".
nlohmann::ordered_json sarif(const std::vector<Fault>&, const std::string& about,
                             const std::string& version);

} // namespace course::report
