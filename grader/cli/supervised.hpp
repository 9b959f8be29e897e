// Work that leaves nothing behind, however it ends.
//
// Grading starts processes and makes scratch folders. It runs in a child of this process, with a
// folder of its own for temporary files ($TMPDIR). When the child ends, by itself, by a crash, or
// because the user pressed Ctrl-C, every process that it started is ended and the folder is
// removed.
#pragma once

#include <functional>

namespace course::cli {

// Runs `work` in a child and gives its exit code; kInternal with a message on standard error when
// it crashed; 128 and the signal's number when this process was told to end (SIGINT, SIGTERM,
// SIGHUP, SIGQUIT). Call it before any thread is started.
int supervised(const std::function<int()>& work);

} // namespace course::cli
