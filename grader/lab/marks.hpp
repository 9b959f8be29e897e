// Marks in a lab's files, and whether a skeleton and its solution are the same but for the work.
//
// README.md in this folder says what marks are. Pure: from text to complaints.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace course::lab {

// The lines around what a student changes. `//! [work]` twice is the same, as for other marks.
inline constexpr std::string_view kWorkBegins = "// Your work begins here.";
inline constexpr std::string_view kWorkEnds = "// Your work ends here.";

// A file cut at its [work] marks.
struct Marked {
  std::vector<std::string> kept;       // text outside, marks included; one more than `work`
  std::vector<std::string> work;       // text inside each pair
  std::vector<std::string> complaints; // marks that do not pair up, or overlap
};
Marked cut(std::string_view text);

// What is wrong with the pair, in sentences; empty when nothing is.
std::vector<std::string> differences(std::string_view skeleton, std::string_view solution);

// What a student opens fits a page of the book. A kernel as fast as a library's takes half as many
// lines again.
inline constexpr std::size_t kLinesOfSkeleton = 80, kLinesOfSolution = 120;

// What is wrong with one file's form: its first line, its length, its width. `first_line` is what
// the first line should be.
std::vector<std::string> form(std::string_view text, std::string_view first_line,
                              std::size_t most_lines = kLinesOfSkeleton);

// The first line of a wrong variant: "// wrong: output, memory: no barrier".
struct Confession {
  std::vector<std::string> checks; // empty when the line is not of that form
  std::string why;
};
Confession confession(std::string_view text);

} // namespace course::lab
