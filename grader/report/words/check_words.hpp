// What a check observed, in words: the one place where facts (judge/facts.hpp) become sentences.
#pragma once

#include "judge/check.hpp"

#include <string>
#include <vector>

namespace course::report {

struct CheckWords {
  std::string what;        // a few words; for a check not measured, why: "needs a GPU"
  std::string where;       // the lines, to be appended: ", on line 29"; may be empty
  std::string limit;       // "4.0"; may be empty
  std::string message;     // a sentence without its full stop; may be empty when passed
  bool says_shape = false; // the message names the shape that it is about

  std::string observed() const { return what + where; }
};

CheckWords words(const judge::Check&);

// Why checks that passed earn nothing yet: another one (judge::awaited) has to pass. Both by the
// names that a reader sees.
std::string awaited_words(const std::vector<std::string>& checks, const std::string& awaited);

} // namespace course::report
