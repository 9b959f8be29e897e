// course: what it takes to solve the exercises.
#include "cli/programs.hpp"

namespace course::cli {

const Program kThisProgram = Program::course;

void add_exploring(CLI::App& app, int&) {
  add_names(app, Program::explore);
}

void add_staff(CLI::App& app, int&) {
  add_names(app, Program::staff);
}

void add_serving(CLI::App& app, int&) {
  add_names(app, Program::serve);
}

} // namespace course::cli
