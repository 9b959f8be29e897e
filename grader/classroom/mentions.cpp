#include "classroom/mentions.hpp"

#include "classroom/archive.hpp"
#include "classroom/text_encoding.hpp"
#include "system/published_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;
using Words = std::set<std::string>;

// Of a script without spaces, a word is found wherever it stands: too much rather than too little.
bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// Where the word stands by itself; npos: nowhere.
std::size_t find_word(std::string_view text, const std::string& word) {
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    const bool starts = at == 0 || !is_of_word(text[at - 1]) || !is_of_word(word.front());
    const bool ends = end == text.size() || !is_of_word(text[end]) || !is_of_word(word.back());
    if (starts && ends) return at;
  }
  return text.npos;
}

std::string lower(std::string text) {
  for (auto& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

class Search {
public:
  Search(const Words& words, std::size_t most) : most_(most) {
    for (const auto& word : words) words_.insert(lower(word));
  }

  void folder(const fs::path& folder) {
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
         at.increment(error)) {
      const auto shown = utf8_of(fs::relative(at->path(), folder, error).string());
      if (says(at->path().filename().string())) add(shown);
      if (at->is_regular_file(error)) file(at->path(), shown);
    }
  }
  Mentions found() { return std::move(found_); }

private:
  Words words_; // in lower case
  std::size_t most_;
  Mentions found_;

  bool says(const std::string& text) const { return says_any(lower(utf8_of(text)), words_); }
  void add(const std::string& place) {
    if (found_.places.size() < most_) found_.places.push_back(place);
  }
  void lines_of(const std::string& text, const std::string& shown) {
    ++found_.searched;
    std::istringstream lines(text);
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);)
      if (++number; says(line)) return add(fmt::format("{}:{}", shown, number));
  }
  void file(const fs::path& path, const std::string& shown) {
    if (kind_of(path.filename()) == Kind::archive) {
      const auto read = read_archive(path);
      if (const auto* sources = std::get_if<Sources>(&read))
        for (const auto& one : sources->files) {
          if (says(one.path)) add(shown + ": " + utf8_of(one.path));
          lines_of(one.content, shown + ": " + utf8_of(one.path));
        }
    } else if (const auto text = system::content_of(path)) {
      lines_of(*text, shown);
    }
  }
};

} // namespace

bool says_any(std::string_view text, const Words& words) {
  return std::ranges::any_of(words,
                             [&](const auto& word) { return find_word(text, word) != text.npos; });
}

Mentions mentions(const fs::path& folder, const std::set<std::string>& words, std::size_t most) {
  Search search(words, most);
  search.folder(folder);
  return search.found();
}

} // namespace course::classroom
