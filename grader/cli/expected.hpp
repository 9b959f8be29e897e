// What `course run --expect FILE` takes for known: each finding that a program is allowed to have,
// by its kind and line. Others make it fail, and so do those of the list that are not found, since
// a list that is longer than what there is hides what comes next.
#pragma once

#include "report/faults.hpp"

#include <string>
#include <variant>
#include <vector>

namespace course::cli {

// A line of the file: "race main.cu:12". Kinds are as in SARIF, with dashes; # begins a comment.
struct Expected {
  std::string rule, path;
  std::uint32_t line = 0;
};

// The lines of the text; or what is wrong with one of them.
std::variant<std::vector<Expected>, std::string> expected_of(const std::string& text);

struct Unexpected {
  std::vector<report::Fault> found;
  std::vector<Expected> missing;
  bool none() const { return found.empty() && missing.empty(); }
};

// `faults`: what was found; those that are not serious are nobody's to expect. A path may be the
// end of another.
Unexpected unexpected(const std::vector<report::Fault>& faults, const std::vector<Expected>&);

// The same for a reader, a line each.
std::string in_lines(const Unexpected&);

} // namespace course::cli
