// Files of access patterns: rows of the format of grader/device/model/data/access_patterns.csv, to
// which the model's results are added.
//
//   access,active_mask,lane0,…,lane31[,wavefronts,ideal,sectors,replays]
//   access,sass,active_mask,lane0,…,lane31[,wavefronts,ideal]
//
// The first line names the columns: any order, and the result columns may be absent. Without that
// line, columns are taken to be in the first of the orders above, or in the second when the third
// field is a mask. Blank lines and the \r of a \r\n are skipped. Bytes are foreign: any are safe.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "device/model/request_type.hpp"

namespace course::cli {

// What the model says of a row. Columns that do not apply, or for which no rule is known, are
// empty.
struct Results {
  std::optional<int> wavefronts, ideal, sectors, replays;
};

struct PatternRow {
  std::vector<std::string> input; // access, [sass,] active_mask, lane0 … lane31, as written
  model::RequestType kind;
  std::uint32_t active = 0;
  std::array<std::uint64_t, model::kLanes> offset{}; // bytes
};

struct PatternFile {
  bool has_sass = false;
  std::vector<PatternRow> rows;
};

struct PatternError {
  std::size_t line = 0; // from 1
  std::string column;   // "lane3"; empty when the whole line is meant
  std::string message;  // what is wrong and what to do, one sentence without a full stop
};

// All rows, or the first errors (at most kMostErrors). An offset must be a multiple of the width,
// and below 2^32 but for global memory.
struct ParsedPatterns {
  static constexpr std::size_t kMostErrors = 20;
  PatternFile file;
  std::vector<PatternError> errors; // empty: the file is good
};
ParsedPatterns parse_patterns(std::istream&);

Results results_of(const PatternRow&);

// The rows with the columns wavefronts, ideal, sectors and replays, after a line of names.
std::string with_results(const PatternFile&);

} // namespace course::cli
