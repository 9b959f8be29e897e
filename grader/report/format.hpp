// The formats in which other services want a student's results: one row each (format.cpp). What
// `course autograde` and `course class --also` offer is this list.
//
// A format is its writer, in a file of its own, and its row.
#pragma once

#include "report/graded.hpp"

#include <functional>
#include <string>
#include <vector>

namespace course::report {

// What a format may say beside the results.
struct Circumstances {
  bool published = true; // whether students see them at once
  std::string version;   // of the grader
  // Of the service's own machine: a variable of the environment, "" where there is none.
  std::function<std::string(const char*)> environment = [](const char*) { return std::string(); };
};

struct Format {
  const char* name;    // "gradescope": --also gradescope, course autograde --gradescope
  const char* meaning; // of that option, for translators
  const char* file;    // in a student's folder of a class; "": not for classes
  bool is_printed;     // a service reads the output of course autograde, no file
  std::string (*text)(const GradedStudent&, const Circumstances&);
};

const std::vector<Format>& formats();

} // namespace course::report
