// Help as it fits the terminal: columns below each other where a character takes two of them, and
// no line wider than the terminal.
#pragma once

#include <memory>
#include <string>

namespace CLI {
class FormatterBase;
} // namespace CLI

namespace course::cli {

// For the parser of options; what stands in an app and its options is already in the reader's
// language.
std::shared_ptr<CLI::FormatterBase> help_formatter();

// A description or a footer in lines of at most `columns`. Lines that fit stay as they are. Of one
// that does not, what is behind a gap goes on below itself: "  course next      the exercise".
std::string fitted(const std::string& text, int columns);

} // namespace course::cli
