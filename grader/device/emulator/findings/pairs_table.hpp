// Pairs of kernels as pairs.csv has them: one with a mistake, its mended twin, how both are
// launched, and what the memory checker has to say of each. The sources mark the lines of a
// mistake.
#pragma once

#include "device/emulator/test_run.hpp"

#include <map>
#include <set>

namespace course::emulator::findings {

inline constexpr const char* kFolder = COURSE_SOURCE_DIR "/grader/device/emulator/findings/";

struct Pair {
  std::string subject; // "pairs": of pairs.cu; otherwise of litmus/SUBJECT.cuh
  // Names of kernels; "a+b" are launched one after the other, in one stream.
  std::string buggy, finding, mended, mended_finding; // finding: a kind's name, or "silent"
  std::string memory;
  std::uint32_t blocks = 0, threads = 0, dynamic_shared = 0; // of both twins
};

inline std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::stringstream all(text);
  for (std::string part; std::getline(all, part, at);) parts.push_back(part);
  return parts;
}

// Throws when the table is not there, or has a row of another shape.
inline std::vector<Pair> read_pairs() {
  std::stringstream lines(read_file(std::string(kFolder) + "pairs.csv"));
  std::vector<Pair> pairs;
  std::string line;
  std::getline(lines, line); // names of the columns
  while (std::getline(lines, line)) {
    const std::vector<std::string> cells = split(line, ',');
    if (cells.size() != 9) throw std::runtime_error("pairs.csv has a row like " + line);
    const auto number = [&](std::size_t i) {
      return static_cast<std::uint32_t>(std::stoul(cells[i]));
    };
    pairs.push_back({cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], number(6),
                     number(7), number(8)});
  }
  return pairs;
}

// The lines of each kernel that end in "//! WORD", by kernel and word. A kernel without marks is
// there too.
using Marks = std::map<std::string, std::map<std::string, std::set<std::uint32_t>>>;

inline Marks marks_in(const std::string& path) {
  std::stringstream lines(read_file(kFolder + path));
  Marks marks;
  std::string kernel;
  std::uint32_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.starts_with("KERNEL(")) {
      kernel = line.substr(7, line.find(')') - 7);
      marks[kernel];
    }
    const std::size_t mark = line.rfind("//! ");
    if (line.starts_with("  ") && mark != std::string::npos)
      marks[kernel][line.substr(mark + 4)].insert(number);
  }
  return marks;
}

} // namespace course::emulator::findings
