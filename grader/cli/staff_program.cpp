// course-staff: all of course-explore, and the commands of instructors and the course's makers.
#include "cli/commands.hpp"
#include "cli/programs.hpp"

namespace course::cli {

const Program kThisProgram = Program::staff;

void add_staff(CLI::App& app, int& exit_code) {
  add_commands<Program::staff>(app, exit_code);
}

void add_serving(CLI::App& app, int&) {
  add_names(app, Program::serve);
}

} // namespace course::cli
