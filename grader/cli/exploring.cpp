// The commands that look at programs, requests and machines: real ones.
#include "cli/commands.hpp"
#include "cli/programs.hpp"

namespace course::cli {

void add_exploring(CLI::App& app, int& exit_code) {
  add_commands<Program::explore>(app, exit_code);
}

} // namespace course::cli
