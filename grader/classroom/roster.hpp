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
  std::string own;      // what names it: of the folder or archive, or who and number; any bytes
  std::string id;       // of `own`, for people: names.hpp
  std::string name;     // as the folder or file says it, UTF-8
  Place place;          // its path is absolute
  std::string problem;  // why it cannot be looked at, a sentence; else empty
  std::string number;   // by which Canvas or Moodle knows the student; else empty
  bool lasting = false; // the number is the same in every download, as Canvas' is
  std::string lab;      // that the folder is of; empty: of all labs

  // Of its record, which nothing else has: the whole digest of lab and `own`. Names that Unicode
  // takes for one name have one, and roster() gives one entry for them.
  std::string record() const;
  std::string label() const;  // for people and CTest: "anna", "05_transpose/anna"
  std::string former() const; // what an older version called the record
};

struct Roster {
  std::vector<Entry> entries;           // sorted by name
  std::vector<std::string> passed_over; // README.txt, worksheet.csv, .x: nobody's
};

// Hidden files are left out, and hidden folders are nobody's; whatever else is there is an entry,
// if only with a problem, but for texts and tables. What would be two submissions of one name is
// one entry, which says of both. Throws std::filesystem::filesystem_error when the folder cannot be
// read.
Roster roster(const std::filesystem::path& submissions);

} // namespace course::classroom
