// The commands that look at programs, requests and machines: real ones.
#include "cli/banks/banks.hpp"
#include "cli/commands.hpp"
#include "cli/programs.hpp"

namespace course::cli {

void add_exploring(CLI::App& app, int& exit_code) {
  add_banks(app, exit_code);
  add_doctor(app, exit_code);
  add_run(app, exit_code);
  add_play(app, exit_code);
  add_trace(app, exit_code);
  add_profile(app, exit_code);
  add_lsp(app, exit_code);
  add_mcp(app, exit_code);
}

} // namespace course::cli
