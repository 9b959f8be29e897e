// Commands of the course's own, through sh: in the user's name, outside the sandbox.
#pragma once

#include <string>

namespace course::system {

// One word for sh, whatever is in it: it's -> 'it'\''s'
std::string in_quotes(const std::string& word);

struct Ran {
  int code = -1;    // as sh says it: 128 and the signal's number where a signal ended it
  std::string text; // its standard output
};

// Waits for its end. Exit code 127 where it could not be started.
Ran run_in_shell(const std::string& command);

} // namespace course::system
