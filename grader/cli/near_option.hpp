// What to say of a mistyped option.
#pragma once

#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace course::cli {

struct UnknownOption {
  std::string command; // "course grade"
  std::string typed;   // "--al"
  std::string near;    // "--all"; empty: none is near
};

// The first word of a command line that is meant for an option which its command does not have;
// `typed` is empty where there is none. What follows a program that is to be run is the program's.
UnknownOption unknown_option(const CLI::App&, int argc, const char* const* argv);

} // namespace course::cli
