// course-staff: all of course-explore, and the commands of instructors and the course's makers.
#include "cli/commands.hpp"
#include "cli/programs.hpp"

namespace course::cli {

const Program kThisProgram = Program::staff;

void add_staff(CLI::App& app, int& exit_code) {
  add_class(app, exit_code);
  add_class_one(app, exit_code);
  add_decide(app, exit_code);
  add_forget(app, exit_code);
  add_autograde(app, exit_code);
  add_autograder(app, exit_code);
  add_publish(app, exit_code);
  add_new(app, exit_code);
  add_check(app, exit_code);
  add_conformance(app, exit_code);
  add_attacks(app, exit_code);
  add_bench(app, exit_code);
  add_measure(app, exit_code);
}

void add_serving(CLI::App& app, int&) {
  add_names(app, Program::serve);
}

} // namespace course::cli
