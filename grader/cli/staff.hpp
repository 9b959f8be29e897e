// The commands of those who teach with the course, and of those who make it.
//
// They are in a program of their own, course-staff, beside `course`, so that a student builds none
// of the rooms behind them. course-staff has the student's commands as well. Both programs have
// the same main.cpp: what differs is which of two files these functions come from.
#pragma once

#include <CLI/App.hpp>

#include <optional>

namespace course::cli {

// Adds the staff's subcommands. In `course` they are names and meanings only, for its help.
void add_staff(CLI::App& app, int& exit_code);

// Where course-staff has to do what argv asks for, this process becomes course-staff. Returns the
// exit code where that program is missing, and nothing where this program goes on by itself.
std::optional<int> hand_over(char** argv);

} // namespace course::cli
