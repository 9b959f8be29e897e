// A search for words in every file below a folder: the proof that somebody is in none.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace course::classroom {

// Whether a text says one of these words, each by itself: "anna" is in "anna@uni.example", and not
// in "annabel".
bool says_any(std::string_view text, const std::set<std::string>& words);

// Where something still says one of these, as a whole word: "decisions.jsonl:4", a path of that
// name, or a file in an archive; at most `most`. Archives are looked into for names and .cu files.
struct Mentions {
  std::size_t searched = 0; // files, those in archives included
  std::vector<std::string> places;
};
Mentions mentions(const std::filesystem::path& folder, const std::set<std::string>& words,
                  std::size_t most = 100);

} // namespace course::classroom
