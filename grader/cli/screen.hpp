// What is known of the terminal that a command writes to.
#pragma once

#include "cli/exit_codes.hpp"
#include "report/text.hpp"

#include <filesystem>
#include <string>

namespace course::cli {

enum class Colour { automatic, always, never };

// Standard output: its width (80 where there is no telling, at most 100, which is as much as reads
// well), and colours where they are wanted. Automatically: on a terminal that is not "dumb", unless
// NO_COLOR is set (https://no-color.org).
report::Terminal screen(Colour);
// The same of standard error, for what is said beside another program's output.
report::Terminal screen_of_errors(Colour);

// Whether a line of standard error can be written anew: a terminal that is not "dumb".
bool can_rewrite_a_line();

// What went wrong, to standard error: "course grade: …". What a room below says of it in English,
// as an exercise's data that cannot be read, is said in the reader's language. On a terminal its
// words are kept whole, and lines that are indented stay as they are; for a program there are no
// lines.
void say_wrong(const std::string& who, const std::string& what);
// The same, for a command to end with: returns `code`.
int complain(const std::string& who, ExitCode code, const std::string& what);
// That a file or folder could not be written, and what to look at; kSetUp.
int not_writable(const std::string& who, const std::filesystem::filesystem_error&);

} // namespace course::cli
