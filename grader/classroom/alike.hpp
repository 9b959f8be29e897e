// Which files of a class are more alike than chance.
//
// What the skeleton gives, and what a tenth of the class has, is no sign of anything and is left
// out; files with little beside that are not compared. So a one-line exercise, which has one right
// answer, accuses nobody.
#pragma once

#include "classroom/winnowing.hpp"
#include "report/class_page.hpp"

#include <map>
#include <string>
#include <vector>

namespace course::classroom {

// The files of one exercise. Memory: a few hundred bytes for each different text.
class Alike {
public:
  explicit Alike(const Fingerprints& skeleton);

  void add(const std::string& student, const Fingerprints&);

  // Most alike first; `exercise` becomes part of each.
  std::vector<report::Likeness> find(const std::string& exercise) const;

private:
  struct Text {
    std::vector<std::string> students;
    std::vector<std::uint64_t> prints; // without the skeleton's
  };
  std::vector<std::uint64_t> skeleton_;
  std::map<std::uint64_t, Text> texts_; // by Fingerprints::whole
  std::size_t students_ = 0;
};

inline constexpr double kAlike = 0.7;     // share from which two files are named
inline constexpr std::size_t kEnough = 6; // prints that a file needs to be compared

} // namespace course::classroom
