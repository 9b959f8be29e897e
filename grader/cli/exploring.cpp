// The commands that look at programs, requests and machines: real ones.
#include "cli/commands.hpp"
#include "cli/programs.hpp"

namespace course::cli {

void add_exploring(CLI::App& app, int& exit_code) {
#define COURSE_COMMAND(program, word, meaning)                                                     \
  if constexpr (Program::program == Program::explore) add_##word(app, exit_code);
#include "cli/commands.def"
#undef COURSE_COMMAND
}

} // namespace course::cli
