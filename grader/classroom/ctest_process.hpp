// A program whose lines of output are looked at as they come: CTest at work.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace course::classroom {

// Runs `command` (found in PATH) and hands on each line of its standard output, without its end.
// Its exit code; 128 and the number of the signal that ended it; 127 when it is not there. It ends
// when this process does. SIGINT and SIGTERM to this process end it first.
int run_lines(const std::vector<std::string>& command,
              const std::function<void(const std::string& line)>& each);

// Whether a signal told this process to end while run_lines was at work.
bool was_stopped();

} // namespace course::classroom
