// course-serve: course, and its pages in a browser. A program of its own, so that only who asks for
// it needs an HTTP library.
#include "cli/commands.hpp"
#include "cli/programs.hpp"

namespace course::cli {

const Program kThisProgram = Program::serve;

void add_serving(CLI::App& app, int& exit_code) {
  add_serve(app, exit_code);
}

void add_exploring(CLI::App& app, int&) {
  add_names(app, Program::explore);
}

void add_staff(CLI::App& app, int&) {
  add_names(app, Program::staff);
}

} // namespace course::cli
