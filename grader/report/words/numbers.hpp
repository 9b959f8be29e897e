// Numbers as a report prints them, from integers only: a verdict never rests on a rounded value.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace course::report {

// 32768 -> "32,768"
std::string thousands(std::uint64_t);

// 1 -> "1 request", 2 -> "2 requests"; `plural` where an s does not do.
std::string counted(std::uint64_t, const std::string& noun, const std::string& plural = "");

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
