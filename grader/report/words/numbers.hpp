// Numbers as a report prints them, from integers only: a verdict never rests on a rounded value.
#pragma once

#include "language/translate.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace course::report {

// 32768 -> "32,768"
std::string thousands(std::uint64_t);

// counted(n, "{} pass", "{} passes"): 1 -> "1 pass", 2000 -> "2,000 passes"
inline std::string counted(std::uint64_t count, fmt::format_string<std::string> one,
                           fmt::format_string<std::string> many) {
  return trn(one, many, count, thousands(count));
}

// numerator / denominator, rounded half up: decimal(125, 1000, 1) is "0.1". The denominator is not
// 0 and below 2^40; `digits` at most 6.
std::string decimal(std::uint64_t numerator, std::uint64_t denominator, int digits);

// A whole number where it is one, otherwise one decimal: "31", "4.2", "under 0.1".
std::string ratio(std::uint64_t numerator, std::uint64_t denominator);

// Two different quotients over one denominator, with as many decimals, from one upwards, as it
// takes to tell them apart: {"4.0", "32.0"}, {"4.00", "4.03"}.
std::pair<std::string, std::string> apart(std::uint64_t a, std::uint64_t b,
                                          std::uint64_t denominator);

} // namespace course::report
