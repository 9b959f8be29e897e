// course-explore: course, and what looks more closely (exploring.cpp).
#include "cli/programs.hpp"

namespace course::cli {

const Program kThisProgram = Program::explore;

void add_staff(CLI::App& app, int&) {
  add_names(app, Program::staff);
}

void add_serving(CLI::App& app, int&) {
  add_names(app, Program::serve);
}

} // namespace course::cli
