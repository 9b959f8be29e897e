// course-staff: it has the staff's commands itself.
#include "cli/commands.hpp"
#include "cli/staff.hpp"

namespace course::cli {

void add_staff(CLI::App& app, int& exit_code) {
  add_class(app, exit_code);
  add_class_one(app, exit_code);
  add_autograde(app, exit_code);
  add_autograder(app, exit_code);
  add_new(app, exit_code);
  add_check(app, exit_code);
  add_conformance(app, exit_code);
  add_attacks(app, exit_code);
  add_bench(app, exit_code);
  add_measure(app, exit_code);
}

std::optional<int> hand_over(char**) {
  return std::nullopt;
}

} // namespace course::cli
