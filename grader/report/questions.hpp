// The question at the end of a report: what the numbers show, and one step on from there.
//
// A question names what is seen in this run (strides, lanes, lines) and asks for the next thought.
// It never gives the answer away. Where nothing more telling is seen, it is the one that the
// exercise's author has for this check.
#pragma once

#include "judge/verdict.hpp"

#include <string>
#include <vector>

namespace course::report {

// Lanes that meet in a bank: `line` is a row of counts with conflicts.
std::string ask_about_conflicts(const device::LineCounts& line);

// The lanes that this question names, if any: a picture beside it has to show them.
std::vector<int> lanes_in_conflict(const device::LineCounts& line);

// More sectors than would do: `line` is the row of global memory that touches most of them.
std::string ask_about_sectors(const judge::Check&, const device::LineCounts& line);

std::string ask_about_output(const judge::Check&, const judge::WrongOutput&);
std::string ask_about_finding(const device::Finding&);

// Of any other check that failed. Empty where a number says it all.
std::string ask_about(const judge::Check&);

} // namespace course::report
