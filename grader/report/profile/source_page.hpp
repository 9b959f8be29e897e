// A program's sources with what each line cost beside it, as a page: `course run --html`.
//
// It needs nothing but itself: no script, no other file. A click on a column's heading sorts by it.
#pragma once

#include "device/device.hpp"

#include <string>
#include <vector>

namespace course::report {

struct SourcePage {
  struct File {
    std::string path;   // as counts and findings have it
    std::string source; // empty where it cannot be read
  };
  std::string title;                // "./turn"
  std::vector<std::string> summary; // paragraphs below it
  std::vector<File> files;
  std::vector<device::LineCounts> lines; // of all launches
  std::vector<device::LineInstructions> instructions;
  std::vector<device::Finding> findings;
};

// The files that have counts or findings, the most expensive first. Of a long file only what is
// near a line with either.
std::string source_page(const SourcePage&);

} // namespace course::report
