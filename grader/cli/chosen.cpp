#include "cli/chosen.hpp"

#include "build/file.hpp"
#include "lab/check.hpp"
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

std::filesystem::path file_of(const Chosen& chosen, const std::filesystem::path& given,
                              bool solution, const std::filesystem::path& root) {
  if (!given.empty()) return given;
  if (!chosen.file.empty()) return chosen.file;
  return root /
         (solution ? lab::solution_of(*chosen.exercise) : lab::skeleton_of(*chosen.exercise));
}

std::string text_of(const std::filesystem::path& file) {
  auto text = build::read_file(file, build::kLargestSource);
  return std::holds_alternative<std::string>(text) ? std::get<std::string>(std::move(text)) : "";
}

} // namespace course::cli
