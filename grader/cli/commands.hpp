// The subcommands of `course`, one file each.
//
// Each adds itself to the application. When it has run, `exit_code` (exit_codes.hpp) says how that
// went, and what is wrong is on standard error. `exit_code` has to outlive the parse. Options that
// CLI11 refuses itself are thrown as CLI::ParseError.
#pragma once

#include <CLI/App.hpp>

namespace course::cli {

void add_grade(CLI::App& app, int& exit_code); // grade.cpp
void add_hint(CLI::App& app, int& exit_code);  // hint.cpp
void add_check(CLI::App& app, int& exit_code); // check.cpp

} // namespace course::cli
