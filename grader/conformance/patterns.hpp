// Measured access patterns against the model: does each cost what its rule says?
#pragma once

#include "conformance/table.hpp"

#include <string>
#include <vector>

namespace course::conformance {

struct PatternScore {
  std::string access; // "shared_load_16"
  std::size_t patterns = 0, equal = 0;
  std::size_t without_rule = 0; // not compared
  std::string first_unequal;    // "mask 0x0000ffff, lane0 0: 3 wavefronts, measured 4"
};

// By kind of access, in the order of their first row. A sentence where a row cannot be read.
std::variant<std::vector<PatternScore>, std::string> score_patterns(const Table&);

} // namespace course::conformance
