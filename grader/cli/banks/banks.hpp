// `course banks`: what the model of the hardware says of requests, from a file or one at a time.
#pragma once

#include <CLI/App.hpp>

namespace course::cli {

// Adds the subcommand. When it has run, `exit_code` is 0, or 2 (usage) when the file or the
// expression was not understood; what is wrong is then on standard error, and nothing on standard
// output. Options that CLI11 refuses itself are thrown, as ever. `exit_code` must outlive the
// parse.
void add_banks(CLI::App& app, int& exit_code);

} // namespace course::cli
