#include "lab/course_texts.hpp"

#include "build/digest.hpp"
#include "lab/data_table.hpp"

#include <fmt/format.h>

namespace course::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDigits = 7; // of a digest, as translators see it

// The parts of an exercise that are said to a student, by the names that they have in a
// translation.
std::map<std::string, std::string> parts_of(const Exercise& exercise) {
  std::map<std::string, std::string> parts{{"title", exercise.title},
                                           {"explanation", exercise.explanation}};
  if (exercise.time) parts["does_not_pay"] = exercise.time->does_not_pay;
  for (std::size_t i = 0; i < exercise.hints.size(); ++i)
    parts[fmt::format("hint_{}", i + 1)] = exercise.hints.at(i);
  for (const auto& [check, question] : exercise.questions) parts["question_" + check] = question;
  for (const auto& graded : exercise.checks) parts["reason_" + graded.check] = graded.reason;
  return parts;
}

void add(CourseTexts& texts, const Exercise& exercise, const Table& translated) {
  const auto of = translated["of"] ? translated["of"].table() : Table();
  for (const auto& [part, english] : parts_of(exercise)) {
    const auto text = translated[part], digest = of[part];
    if (!text || !digest || english.empty()) continue;
    const bool fresh = digest.text() == build::sha256(english).substr(0, kDigits);
    if (fresh) texts[english] = text.text() == "=" ? english : text.text();
  }
}

} // namespace

CourseTexts texts_in(const fs::path& language, const std::vector<Exercise>& exercises) {
  CourseTexts texts;
  std::map<std::string, Table> labs;
  for (const auto& exercise : exercises) {
    const auto file = language / "labs" / (exercise.lab() + ".toml");
    if (!fs::exists(file)) continue;
    const auto [lab, first] = labs.try_emplace(exercise.lab());
    if (first) lab->second = Table::read({file});
    if (const auto translated = lab->second[exercise.name()])
      add(texts, exercise, translated.table());
  }
  return texts;
}

fs::path folder_of(const fs::path& chapters, const std::string& language) {
  for (const auto& name : {language, language.substr(0, language.find('_'))})
    if (!name.empty() && fs::is_directory(chapters / name)) return chapters / name;
  return {};
}

} // namespace course::lab
