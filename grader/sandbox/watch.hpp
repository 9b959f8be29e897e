// Reads a running program's output and holds it to its time, until its keeper is gone.
#pragma once

#include "sandbox/output_capture.hpp"
#include "sandbox/process.hpp"
#include "sandbox/report.hpp"

#include <optional>
#include <sys/types.h>

namespace course::sandbox {

struct Watched {
  pid_t keeper = -1;
  system::Descriptor control;
  OutputCapture out, err;
};

// Asks the keeper to end the program and all that it started.
void ask_end(int control);

// Returns when nothing is left of the program.
Outcome watch(Watched&, const Limits&);

// How a program ended, by the keeper's word and what it printed. Sets `code` as in Outcome.
Outcome::End end_of(const Report& ended, const Limits&, const std::string& err, int& code);

} // namespace course::sandbox
