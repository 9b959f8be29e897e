// The four programs that the command line is made of, so that nobody builds what nobody asked for.
//
//   course          what it takes to solve the exercises
//   course-explore  and what looks at programs, requests and machines more closely
//   course-staff    and what instructors and the course's makers need
//   course-serve    `course`, and the course in a browser
//
// Each of the first three has the commands of those above it as well. All have the same main.cpp;
// what differs is which of four files says what this program is. Users call `course`: it becomes
// the program that has the command (elsewhere.cpp), and its help names all.
#pragma once

#include <optional>

namespace CLI {
class App;
} // namespace CLI

namespace course::cli {

enum class Program { course, explore, staff, serve };
extern const Program
    kThisProgram; // course_program.cpp, explore_program.cpp, staff_program.cpp, serve_program.cpp

// Adds the subcommands of course-explore, of course-staff and of course-serve. In a program that
// does not have them they are names and meanings only, for its help (add_names).
void add_exploring(CLI::App& app, int& exit_code);
void add_staff(CLI::App& app, int& exit_code);
void add_serving(CLI::App& app, int& exit_code);
void add_names(CLI::App& app, Program of);

// Where another program has to do what argv asks for, this process becomes that program. Returns
// the exit code where that program is missing, and nothing where this program goes on by itself.
std::optional<int> hand_over(char** argv);

// As git does: where argv names no command of this program, and a program course-NAME of somebody's
// own stands beside this one, this process becomes that, with what follows the name. Returns where
// there is none.
void become_own_command(char** argv);

} // namespace course::cli
