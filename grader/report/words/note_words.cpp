#include "report/words/note_words.hpp"

#include "report/words/check_words.hpp"

#include <fmt/format.h>

namespace course::report {

std::vector<std::string> notes(const judge::Verdict& verdict) {
  auto all = verdict.notes;
  for (const auto& check : verdict.mentioned)
    all.push_back(fmt::format("not graded here: {}, {}", check.name, words(check).observed()));
  return all;
}

} // namespace course::report
