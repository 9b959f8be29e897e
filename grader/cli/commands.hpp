// The subcommands of `course`, one file each.
//
// Each adds itself to the application. When it has run, `exit_code` (exit_codes.hpp) says how that
// went, and what is wrong is on standard error. `exit_code` has to outlive the parse. Options that
// CLI11 refuses itself are thrown as CLI::ParseError.
#pragma once

#include "cli/programs.hpp"

#include <CLI/App.hpp>

#include <string>

namespace course::cli {

// A new subcommand of the application, which owns it. main.cpp, because CLI11 is all headers:
// whoever makes one compiles its parser, formatter and configuration too, which takes as long as
// all the rest of a command's file.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& meaning);

// add_grade, add_hint, …: by the one list of them.
#define COURSE_COMMAND(program, word, meaning) void add_##word(CLI::App& app, int& exit_code);
#include "cli/commands.def"
#undef COURSE_COMMAND

// All that are first in this program. Only those have to be linked.
template <Program kProgram>
void add_commands(CLI::App& app, int& exit_code) {
#define COURSE_COMMAND(program, word, meaning)                                                     \
  if constexpr (Program::program == kProgram) add_##word(app, exit_code);
#include "cli/commands.def"
#undef COURSE_COMMAND
}

// `course` without a subcommand; the exit code. home.cpp
int home();

} // namespace course::cli
