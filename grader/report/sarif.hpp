// Findings with their source lines as SARIF 2.1.0 (OASIS), for code scanning and editors.
#pragma once

#include "report/graded.hpp"

namespace course::report {

// `version`: of the grader.
nlohmann::ordered_json sarif(const GradedStudent&, const std::string& version);

} // namespace course::report
