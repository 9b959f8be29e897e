#include "classroom/kit.hpp"

#include "build/digest.hpp"
#include "language/translate.hpp"
#include "system/published_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKits = "grader/classroom/kits";

// "2_pad.cu"
std::string file_of(const Kit::Asked& asked) {
  return asked.id.substr(asked.id.find('/') + 1) + ".cu";
}

// The same for the same exercises and seed: a kit that is made again is the same question.
std::string uuid_of(const Kit& kit) {
  const bool own = kit.settings && kit.settings->said.seed;
  std::string text = std::to_string(own ? *kit.settings->said.seed : kit.seed);
  for (const auto& one : kit.exercises) text += "/" + one.id;
  const auto hex = build::digest(text);
  return fmt::format("{}-{}-4{}-8{}-{}", hex.substr(0, 8), hex.substr(8, 4), hex.substr(13, 3),
                     hex.substr(17, 3), hex.substr(20, 12));
}

std::string listed(const std::vector<Kit::Asked>& exercises) {
  std::vector<std::string> ids;
  for (const auto& one : exercises) ids.push_back('"' + one.id + '"');
  return fmt::format("exercises = [{}]\n", fmt::join(ids, ", "));
}

std::string seed_of(const Kit& kit) {
  return fmt::format("seed = {} # of the hidden inputs\n", kit.seed);
}

// The class's own, below what they do not say; or some to begin with.
std::string settings_of(const Kit& kit) {
  if (kit.settings) {
    const auto& [text, said] = *kit.settings;
    return (said.seed ? "" : seed_of(kit)) +
           (said.exercises.empty() && !kit.whatever ? listed(kit.exercises) : "") + text;
  }
  return "# What counts, and when: INSTRUCTORS.md has every key.\n" + seed_of(kit) +
         fmt::format("language = \"{}\" # of reports\n",
                     language::english() ? "en" : language::spoken()) +
         "feedback_at_once = true # false: when grades are published\n" +
         (kit.whatever ? "" : listed(kit.exercises));
}

// What kits say between @ signs.
std::map<std::string, std::string> words_of(const Kit& kit) {
  std::vector<std::string> files, problems;
  int points = 0;
  for (const auto& one : kit.exercises) {
    files.push_back(file_of(one));
    problems.push_back(fmt::format("   - `{}`, {} points", one.id, one.points));
    points += one.points;
  }
  return {{"@FILES@", fmt::format("{}", fmt::join(files, ", "))},
          {"@PROBLEMS@", fmt::format("{}", fmt::join(problems, "\n"))},
          {"@POINTS@", std::to_string(points)},
          {"@TITLE@", kit.exercises.size() == 1 ? kit.exercises.front().id : "CUDA shared memory"},
          {"@IMAGE@", "shared-memory-course"},
          {"@UUID@", uuid_of(kit)},
          {"@SETTINGS@", settings_of(kit)}};
}

std::string filled_in(std::string text, const std::map<std::string, std::string>& words) {
  for (const auto& [name, word] : words)
    for (std::size_t at = 0; (at = text.find(name, at)) != text.npos; at += word.size())
      text.replace(at, name.size(), word);
  return text;
}

// What a course of somebody's own has: its exercises, and what they say in other languages.
bool is_of_labs(const fs::path& path) {
  return *path.begin() == "labs" || *path.begin() == "chapters";
}

void copy_files(const Kit& kit, const fs::path& to) {
  const auto from = kit.grader / kKits / kit.service;
  const auto words = words_of(kit);
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    if (!entry.is_regular_file()) continue;
    const auto file = to / fs::relative(entry.path(), from);
    system::publish(file, filled_in(system::content_of(entry.path()).value_or(""), words));
    fs::permissions(file, entry.status().permissions());
  }
}

} // namespace

std::vector<std::string> services(const fs::path& project) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(project / kKits, none))
    if (entry.is_directory()) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<Leak> write_kit(const fs::path& folder, const Kit& kit) {
  if (fs::exists(folder) && !fs::is_empty(folder))
    throw fs::filesystem_error("cannot write", folder,
                               std::make_error_code(std::errc::directory_not_empty));
  auto grader = kit.course;
  grader.project = kit.grader;
  grader.wanted = [](const fs::path& path) { return is_to_grade(path) && !is_of_labs(path); };
  auto labs = kit.course;
  labs.wanted = [](const fs::path& path) { return is_to_grade(path) && is_of_labs(path); };
  auto leaks = add_student_copy(folder / "course", grader);
  std::ranges::move(add_student_copy(folder / "course", labs), std::back_inserter(leaks));
  copy_files(kit, folder);
  return leaks;
}

} // namespace course::classroom
