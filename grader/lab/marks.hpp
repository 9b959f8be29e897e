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

// What is wrong with a file, or with a skeleton and its solution.
struct Complaint {
  enum class What {
    closed_before_open, // the mark `name`
    overlaps,           // the mark `name`, the mark `other`
    not_closed,         // the mark `name`
    no_region,
    other_number_of_regions,
    differs_outside, // behind region `number`; 0: before the first
    same_region,     // region `number`
    nothing_to_do,   // region `number` of the skeleton says no TODO
    still_to_do,     // the solution has a TODO
    first_line,      // is not `name`
    too_long,        // it has `number` lines, and `most` at most
    too_wide,        // line `number` has `most` columns
  } what{};
  enum class Of { the_file, skeleton, solution } of{};
  std::string name = {}, other = {};
  std::size_t number = 0, most = 0; // regions and lines from 1
  bool operator==(const Complaint&) const = default;
};

// A file cut at its [work] marks.
struct Marked {
  std::vector<std::string> kept;     // text outside, marks included; one more than `work`
  std::vector<std::string> work;     // text inside each pair
  std::vector<Complaint> complaints; // marks that do not pair up, or overlap
};
Marked cut(std::string_view text);

bool is_mark(std::string_view line);

// What is wrong with the pair; empty when nothing is.
std::vector<Complaint> differences(std::string_view skeleton, std::string_view solution);

// What a student opens fits a page of the book. A kernel as fast as a library's takes half as many
// lines again.
inline constexpr std::size_t kLinesOfSkeleton = 80, kLinesOfSolution = 120;

// What is wrong with one file's form: its first line, its length, its width. `first_line` is what
// the first line should be.
std::vector<Complaint> form(std::string_view text, std::string_view first_line,
                            std::size_t most_lines = kLinesOfSkeleton);

// The first line of a wrong variant: "// wrong: output, memory: no barrier".
struct Confession {
  std::vector<std::string> checks; // empty when the line is not of that form
  std::string why;
};
Confession confession(std::string_view text);

} // namespace course::lab
