// Who handed something in: a folder or an archive a student, side by side in one folder; or the
// files of all students side by side, as Canvas and Moodle put them into one download.
//
//   Canvas       smithanna_12345_678901_2_pad.cu, smithanna_LATE_12345_678902_submission.zip
//   Moodle       Anna Smith_17_assignsubmission_file_/2_pad.cu, or …_file_2_pad.cu
//   Gradescope   submission_4711/2_pad.cu beside submission_metadata.yml
#pragma once

#include "classroom/submission.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace course::classroom {

struct Entry {
  std::string id;      // names.hpp
  std::string name;    // as the folder or file says it, UTF-8
  Place place;         // its path is absolute
  std::string problem; // why it cannot be looked at, a sentence; else empty
  std::string number;  // by which Canvas or Moodle knows the student; else empty
  std::string lab;     // that the folder is of; empty: of all labs

  // Of its record: a student has one for each folder.
  std::string record() const { return lab.empty() ? id : lab + "." + id; }
};

struct Roster {
  std::vector<Entry> entries;           // sorted by name
  std::vector<std::string> passed_over; // README.txt, worksheet.csv: nobody's
};

// Hidden files are left out; whatever else is there is an entry, if only with a problem, but for
// texts and tables. Throws std::filesystem::filesystem_error when the folder cannot be read.
Roster roster(const std::filesystem::path& submissions);

} // namespace course::classroom
