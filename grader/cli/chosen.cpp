#include "cli/chosen.hpp"

#include "lab/labs.hpp"
#include "report/text.hpp"

#include <fmt/format.h>

namespace course::cli {

std::variant<std::vector<Chosen>, std::string> everything() {
  std::vector<Chosen> chosen;
  for (const auto& exercise : lab::exercises()) chosen.push_back({&exercise, {}});
  return chosen;
}

std::variant<std::vector<Chosen>, std::string> choose(const std::vector<std::string>& words) {
  std::vector<Chosen> chosen;
  for (const auto& word : words) {
    const auto found = lab::find(lab::exercises(), word);
    if (!found.exercise) {
      std::string near;
      for (const auto* exercise : found.near) near += "\n  " + exercise->id;
      return fmt::format("no one exercise is called \"{}\". Is it one of these?{}",
                         report::printable(word), near);
    }
    std::error_code error;
    const bool is_file = word.ends_with(".cu") && std::filesystem::exists(word, error);
    chosen.push_back({found.exercise, is_file ? word : ""});
  }
  return chosen;
}

} // namespace course::cli
