// How a grading ended that came to no judgement, in words.
#pragma once

#include "judge/verdict.hpp"

#include <string>

namespace course::report {

struct EndedWords {
  std::string headline; // what happened, where: a sentence
  std::string advice;   // what to do next
};

// In a table: "passed", "did not compile".
std::string ending_word(judge::Ending);

// "Not solved yet: 45 of 60 points.", or that it stays solved. `points`: those of this grading, in
// words.
std::string outcome_words(const judge::Verdict&, const std::string& points);

EndedWords ended_words(const judge::EndedBy&);
EndedWords fault_words(const judge::Fault&);
EndedWords ended_words(const judge::Verdict&); // both empty where it was judged

} // namespace course::report
