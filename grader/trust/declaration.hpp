// What a file of the attack suite says of itself in its first lines.
//
//   // attack: leaves before the grader is told that the call came back
//   // against: 05_transpose/2_pad
//   // must: crashed: ended the whole program with exit code 0
//
// `attack` or `control` comes first and is the idea in a line. An honest way of an exercise begins
// with `honest` instead, may need several lines for it, and has to pass. The other keys:
//
//   against  the exercise it is graded as; an honest way tells that by its file's name
//   must     the verdict it has to get: the ending, and where that is "failed" the checks that
//            fail, all of them, or "none" where what is missing could not be measured; after a
//            colon a piece of what the report says. More than one such line: any of these will do
//   never    a piece of text that no output may have, such as a line of a solution
//   device   "emulated" (without this line); "gpu": it does what it does on a GPU only; or "both"
//   named    the name under which it is submitted, with \xNN for a byte
//   link     submitted as a symbolic link to this, from the project's root
//   seconds  the most that grading it may take; 60 without this line
//
// @ROOT@ in the file stands for the folder that the course is in, @PROTOCOL@ for the version of the
// protocol that host code and the grader speak.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace course::trust {

struct Wanted {
  std::string ending;              // as in the JSON: "failed"
  std::vector<std::string> checks; // in order of the line
  std::string piece;               // may be empty
};

struct Declaration {
  enum class Kind { attack, control } kind{};
  std::string idea, exercise;
  std::vector<Wanted> wanted;
  std::vector<std::string> never;
  enum class Device { emulated, gpu, both } device = Device::emulated;
  std::string named, link;
  int seconds = 60;

  std::vector<std::string> complaints; // what is wrong with the declaration itself
};

// `exercise`: the one that it is graded as where it does not say another.
Declaration declaration(std::string_view text, const std::string& exercise = {});

// "failed output, memory: read before it is written"
std::string text(const Wanted&);

} // namespace course::trust
