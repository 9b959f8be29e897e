// What a program's run amounted to, as facts for the rooms that put it in words: of `course run`,
// and of `course mcp`.
#pragma once

#include "cli/banks/default_banks.hpp"
#include "report/launches/launches.hpp"
#include "runtime/live_program.hpp"

#include <string>

namespace course::cli {

struct RunOf {
  std::string program; // as it was typed
  std::string banks = default_banks();
  int exit_code = 0;
  bool checked = true;
};

report::LaunchReport report_on(const runtime::LiveRun&, const device::Live&, const RunOf&);

} // namespace course::cli
