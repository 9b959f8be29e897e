// The command line as data, for what is made of it: shell completion and the manual page.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace course::cli {

struct OptionOutline {
  std::string name;    // "--seed N", "EXERCISE"
  std::string meaning; // its description
};

struct CommandOutline {
  std::string name, meaning, footer; // "grade"; of the whole program, its own name
  std::vector<OptionOutline> options;
  std::vector<std::string> flags;      // "--seed", "--all": what may be typed
  std::vector<std::string> positional; // "EXERCISE"
};

CommandOutline outline(const CLI::App&);
std::vector<CommandOutline> outlines(const CLI::App&); // of its subcommands that are not hidden

// What `source` loads in each shell. `exercises` are offered wherever EXERCISE may be typed.
std::string bash_completion(const CLI::App&, const std::vector<std::string>& exercises);
std::string zsh_completion(const CLI::App&, const std::vector<std::string>& exercises);

// A manual page, course.1, in the format of man(7).
std::string manual_page(const CLI::App&, const std::string& version);

} // namespace course::cli
