// The question at the end of a report: what the numbers show, and one step on from there.
//
// A question names what is seen in this run (strides, lanes, lines) and asks for the next thought.
// It never gives the answer away.
#pragma once

#include "judge/verdict.hpp"

#include <string>

namespace course::report {

// Lanes that meet in a bank: `line` is a row of counts with conflicts.
std::string ask_about_conflicts(const device::LineCounts& line);

// Lanes that touch sectors of their own: `line` is a row of global memory.
std::string ask_about_sectors(const device::LineCounts& line);

std::string ask_about_output(const judge::WrongOutput&);
std::string ask_about_finding(const device::Finding&);

// Of any other check that failed.
std::string ask_about(const judge::Check&);

} // namespace course::report
