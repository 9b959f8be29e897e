// The result file of a submission: the record from which every table and page is made again.
//
//   RESULTS/records/ID.json     ID: Entry::record, the whole digest of what names the submission
//
// It is published by rename after each exercise, so that a run that is killed loses at most the
// exercise that it was at. What an exercise came to is in the verdict store, by key.
#pragma once

#include "classroom/submission.hpp"
#include "report/graded.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace course::classroom {

inline constexpr std::size_t kMostAttempts = 3; // at grading a file

// An exercise in a submission.
struct Row {
  std::string exercise;            // id
  std::string file;                // in the submission
  std::string key;                 // of its verdict; empty when refused
  std::string refused;             // why it is not graded; else empty
  bool graded = false;             // the verdict of this key is in the store
  std::vector<std::string> failed; // attempts at this key that the grader failed at: where and why
  std::int64_t time = 0;           // seconds since 1970, by `clock`; 0: not known
  std::string clock;               // "date of the file"
  std::string digest;              // of its text, in the archive; empty when refused
  std::string version;             // of the exercise: lab::version_of
};

struct Record {
  std::string id;    // Entry::record
  std::string label; // Entry::label
  std::string name;
  std::string lab; // that its folder is of: nothing else in it counts; empty: of all labs
  Place place;
  std::vector<std::string> problems;
  std::vector<std::string> ignored; // files that look like work, and why they are none
  std::vector<Row> rows;            // of the files that were found
  bool read = false;                // false: nobody has looked into it yet
  bool blocked = false;             // it cannot be looked into: `problems` says why
};

// What somebody handed in: by the lab that its folder is of, "" for all labs.
using Work = std::map<std::string, Record>;
const Record* work_in(const Work&, const std::string& lab); // nullptr: nothing
// The row of an exercise, and nullptr where there is none.
const Row* row_in(const Work&, const std::string& exercise);

// The record of the untouched skeletons, where they are graded as well. Nobody's id begins so.
inline constexpr const char* kSkeletons = ".skeletons";

// A text that was handed in, kept for appeals: RESULTS/archive/05_transpose/2_pad/DIGEST.cu
std::filesystem::path archived(const std::filesystem::path& results, const std::string& exercise,
                               const std::string& digest);

std::filesystem::path record_path(const std::filesystem::path& results, const std::string& id);

// Nothing when there is none, or it is damaged. Records of the last version, which were called by
// readable IDs, are read as well.
std::optional<Record> read_record(const std::filesystem::path& results, const std::string& id);
// Throws std::filesystem::filesystem_error.
void write_record(const std::filesystem::path& results, const Record&);

} // namespace course::classroom
