// A class on one page: how the scores are spread, which checks are hardest, who was not graded,
// whose files are alike, and a row a student.
//
// It is written in parts, so that a class of any size needs no more memory than a student.
#pragma once

#include "report/page.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace course::report {

struct ExerciseTally {
  std::uint64_t passed = 0, failed = 0, missing = 0, refused = 0, not_graded = 0;
  double points = 0, max_points = 0;
};

// What an exercise says about a class, for those who set it (classroom/items.hpp).
struct ItemStatistics {
  std::string exercise;
  std::size_t solved = 0;               // students whose attempts are known
  double attempts = 0;                  // until solved: the median of these
  std::optional<double> discrimination; // correlation of its share with that of all the others
  std::size_t failed = 0;               // files
  std::string line;                     // that most failed checks are about, as it is written
  std::size_t at_line = 0;              // files
  std::string variant;                  // the course's wrong variant that most are like
  std::size_t like_variant = 0;         // files
};
struct CheckTally {
  std::uint64_t passed = 0, failed = 0, not_measured = 0; // of those whose exercise was graded
};

// The numbers of a class, gathered a student at a time.
struct ClassTally {
  std::uint64_t students = 0, ungraded = 0; // ungraded: at least one exercise was not graded
  std::array<std::uint64_t, 11> tenths{}; // students by score: below 10 %, …, below 100 %, 100 %
  std::map<std::string, ExerciseTally> exercises;
  std::map<std::string, CheckTally> checks; // "05_transpose/2_pad conflicts"; worth points only

  std::vector<float> shares; // of its points that each student has, who could have any

  void add(const GradedStudent&);
};

// "mean 62%, median 65%, a quarter below 40%, a quarter above 80%"; empty for a class of nobody.
// Quartiles as spreadsheets have them: between two students, in proportion.
std::string middle_of(std::vector<float> shares);

// Files of one exercise that are more alike than chance.
struct Likeness {
  std::string exercise;
  std::vector<std::string> students; // ids: each has a file that is like another one of these
  double share = 0;       // of the prints of a smaller file that another one has too: the most here
  std::size_t common = 0; // prints that these two have
  std::array<std::string, 2> closest = {}; // of a page that shows both, `page`
  std::string page = {};                   // "alike/05_transpose-2_pad-1.html"; empty: none
  std::vector<std::string> shown = {};     // the students' names, in their order; empty: ids
  std::vector<std::string> sources = {}; // public files that are like them: "the course's solution"
};

// Whether it stands above another: what nothing public explains, and of that what has most in
// common.
bool comes_first(const Likeness&, const Likeness& than);

inline constexpr std::size_t kLikenesses = 100; // that are listed

std::string class_page_start(const ClassTally&, const std::vector<ItemStatistics>&,
                             const std::vector<Likeness>&, const PageTitle&);
std::string class_page_row(const GradedStudent&);
std::string class_page_end(const PageTitle&);

} // namespace course::report
