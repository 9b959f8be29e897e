// Inputs that a fuzzer found, kept as text: one input a line.
//
// Printable ASCII stands for itself, but for the backslash:
//
//   \\  \n  \t      a backslash, a line feed, a tab
//   \xHH            any other byte; '#' too where it is the first of its input
//   \0{12}          twelve zero bytes
//
// A line that begins with '#' is a comment. An empty line is an empty input.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace course::fuzzing {

std::string line_of(std::string_view input); // without its line feed

// The inputs of a text, or what is wrong with it, and in which line.
std::variant<std::vector<std::string>, std::string> inputs_of(std::string_view text);

} // namespace course::fuzzing
