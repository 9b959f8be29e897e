// Which files of a class are more alike than chance, among themselves and with public ones: the
// course's own solutions, controls and wrong variants, last year's files, copies from the net.
//
// What the skeleton gives is no sign of anything and is left out, and nothing else is, however many
// have it: a file that half a class copied is named as one that half the class has. Files with
// little beside the skeleton are not compared: a one-line exercise, which has one right answer,
// accuses nobody.
//
// A right solution is like all right solutions, which says nothing of two who have it. So two files
// that are each like a public one are named together only for what both have beyond everything
// public; and each is named with the public file that it is most like, in a row that comes later.
#pragma once

#include "classroom/winnowing.hpp"
#include "report/class_page.hpp"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace course::classroom {

// The files of one exercise. Memory: a few hundred bytes for each different text.
class Alike {
public:
  explicit Alike(const Fingerprints& skeleton);

  void add(const std::string& student, const Fingerprints&);
  // A file that students may have had before their eyes; alone, it is like nobody's.
  void add_public(const std::string& name, const Fingerprints&);

  // Groups, in which each file is alike to another one of it, `exercise` being part of each; then
  // who is like which public file. Those that have most in common come first.
  std::vector<report::Likeness> find(const std::string& exercise) const;

private:
  struct Text {
    std::vector<std::string> students, sources;
    std::vector<std::uint64_t> prints;      // without the skeleton's
    std::vector<std::uint64_t> beyond = {}; // and without those of any public file
  };
  Text& text_of(const Fingerprints&);
  using Texts = std::vector<const Text*>;
  struct Public {
    const Text* text = nullptr;
    double share = 0;
    std::vector<std::string> names; // of all that it is like
  };
  static std::array<std::string, 2> closest(const Text& one, const Text& other);
  std::map<const Text*, Public> like_public(const Texts& students) const;
  static std::vector<report::Likeness> groups(const Texts&, const std::map<const Text*, Public>&);
  static std::vector<report::Likeness> copies(const std::map<const Text*, Public>&);
  std::vector<std::uint64_t> skeleton_;
  std::map<std::uint64_t, Text> texts_; // by Fingerprints::whole
};

inline constexpr double kAlike = 0.8;     // share from which two files are named
inline constexpr std::size_t kEnough = 8; // prints that a file needs to be compared

} // namespace course::classroom
