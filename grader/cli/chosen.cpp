#include "cli/chosen.hpp"

#include "build/compile.hpp"
#include "cli/project.hpp"
#include "lab/labs.hpp"
#include "lab/proofs.hpp"
#include "language/translate.hpp"
#include "report/edit_words.hpp"
#include "report/text.hpp"
#include "system/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace course::cli {

namespace {

namespace fs = std::filesystem;

// "labs/05_transpose/2_pad.cu" from the project's root, or the end of it.
bool is_own_file(const fs::path& typed, const lab::Exercise& exercise) {
  const auto own = fmt::format("/{}", lab::skeleton_of(exercise).string());
  return own.ends_with(fmt::format("/{}", typed.lexically_normal().string()));
}

std::string exercises_in(const fs::path& root, const std::string& folder) {
  auto lab = fs::path(folder).lexically_normal();
  if (!lab.has_filename()) lab = lab.parent_path();
  std::string list;
  for (const auto& exercise : lab::exercises(root))
    if (exercise.lab() == lab.filename()) list += fmt::format("\n  {}", exercise.id);
  return list;
}

} // namespace

std::string as_linux_path(const std::string& typed) {
  std::error_code error;
  if (typed.find('\\') == typed.npos || fs::exists(typed, error)) return typed;
  auto path = typed;
  std::ranges::replace(path, '\\', '/');
  const auto drive = static_cast<unsigned char>(path[0]);
  if (path.size() > 2 && std::isalpha(drive) && path[1] == ':' && path[2] == '/')
    path = fmt::format("/mnt/{:c}{}", std::tolower(drive), path.substr(2));
  return path;
}

std::variant<std::vector<Chosen>, std::string> everything(const fs::path& root) {
  std::vector<Chosen> chosen;
  for (const auto& exercise : lab::exercises(root)) chosen.push_back({&exercise, {}});
  return chosen;
}

std::variant<std::vector<Chosen>, std::string> choose(const fs::path& root,
                                                      const std::vector<std::string>& words) {
  std::vector<Chosen> chosen;
  for (const auto& typed : words) {
    const auto word = as_linux_path(typed);
    const auto found = lab::find(lab::exercises(root), word);
    std::error_code error;
    const bool there = fs::exists(word, error);
    if (!found.exercise) {
      const auto list = exercises_in(root, word);
      if (!list.empty() || (there && fs::is_directory(word, error)))
        return tr("{} is a folder. Say one of its exercises, or --all{}", report::printable(word),
                  list);
      if (found.near.empty())
        return tr("no exercise is called \"{}\"; ./course list has all of them",
                  report::printable(word));
      std::string near;
      for (const auto* exercise : found.near) near += "\n  " + exercise->id;
      return tr("no one exercise is called \"{}\". Is it one of these?{}", report::printable(word),
                near);
    }
    const bool is_file = word.ends_with(".cu");
    if (is_file && !there && !is_own_file(word, *found.exercise))
      return tr("there is no file {}. Your own is meant by {}", report::printable(word),
                found.exercise->id);
    chosen.push_back({found.exercise, is_file && there ? word : ""});
  }
  return chosen;
}

std::filesystem::path file_of(const Chosen& chosen, const std::filesystem::path& given,
                              bool solution, const std::filesystem::path& root) {
  if (!given.empty()) return given;
  if (solution) return chosen.exercise->solution;
  return chosen.file.empty() ? work_folder(root) / lab::skeleton_of(*chosen.exercise) : chosen.file;
}

MeantFile::MeantFile(const Chosen& chosen, const fs::path& given, bool solution,
                     const fs::path& root)
    : path_(file_of(chosen, given, solution, root)) {
  std::error_code error;
  if (given.empty() || fs::exists(given, error)) return;
  const auto variant = lab::wrong_variant(*chosen.exercise, chosen.exercise->answers(),
                                          fs::absolute(given).string());
  if (variant && variant->text()) variant_.emplace(*variant);
}

std::variant<lab::Variant, std::string>
named_variant(const lab::Exercise& exercise, const std::string& name, const fs::path& root) {
  auto found = lab::wrong_variant(exercise, root, name);
  if (found && found->text()) return *std::move(found);
  if (found) {
    const auto& fault = *found->fault();
    return fmt::format("{}:{}: {}", lab::edits_of(exercise).string(), fault.line,
                       report::fault_words(fault));
  }
  std::string list;
  for (const auto& one : lab::wrong_variants_of(exercise, root))
    list += "\n  " + lab::name_of(one, exercise);
  if (list.empty()) return tr("there are no wrong variants of {} here", exercise.id);
  return tr("no wrong variant of {} is called \"{}\". Is it one of these?{}", exercise.id,
            report::printable(name), list);
}

std::string text_of(const std::filesystem::path& file) {
  auto text = system::read_file(file, build::kLargestSource);
  return std::holds_alternative<std::string>(text) ? std::get<std::string>(std::move(text)) : "";
}

} // namespace course::cli
