// course-staff: all of course-explore, and the commands of instructors and the course's makers.
#include "cli/commands.hpp"
#include "cli/programs.hpp"

namespace course::cli {

const Program kThisProgram = Program::staff;

void add_staff(CLI::App& app, int& exit_code) {
#define COURSE_COMMAND(program, word, meaning)                                                     \
  if constexpr (Program::program == Program::staff) add_##word(app, exit_code);
#include "cli/commands.def"
#undef COURSE_COMMAND
}

void add_serving(CLI::App& app, int&) {
  add_names(app, Program::serve);
}

} // namespace course::cli
