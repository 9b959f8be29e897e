// Results of bench/contest: who took how long, beside the library that a user would pick instead
// and beside a copy.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <variant>
#include <vector>

namespace course::contest {

struct Result {
  std::string contest, size, name, role; // role: solution, library, ceiling
  double seconds = 0, bytes = 0, flops = 0;
  bool wrong = false; // its result was; then there is no time
};

// The lines that a contest's program prints (bench/contest/contest.cuh). A sentence where one of
// them is not of that form.
std::variant<std::vector<Result>, std::string> parse(const std::string& text);

// How many times as fast as the library, and as the copy, of the same contest and size: 0 where
// there is none.
struct Ratios {
  double of_library = 0, of_ceiling = 0;
};
Ratios ratios(const Result&, const std::vector<Result>& all);

// For a terminal: time, TB/s or TFLOP/s, ratios.
std::string table(const std::vector<Result>&);

nlohmann::ordered_json json(const std::vector<Result>&);

} // namespace course::contest
