#include "classroom/public_files.hpp"

#include "classroom/submission.hpp"
#include "lab/proofs.hpp"
#include "language/translate.hpp"
#include "system/file.hpp"

#include <algorithm>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> sources_below(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error))
    if (at->is_regular_file(error) && at->path().extension() == ".cu") found.push_back(at->path());
  std::sort(found.begin(), found.end());
  return found;
}

// Empty where it is of none.
std::string exercise_of_public(const fs::path& file, const std::string& below,
                               const std::string& text,
                               const std::vector<lab::Exercise>& exercises) {
  const auto place = file.parent_path(); // of an archive: 05_transpose/2_pad
  const auto id = (place.parent_path().filename() / place.filename()).string();
  for (const auto& exercise : exercises)
    if (exercise.id == id) return id;
  const auto found = recognise({{{below, text, ""}}, {}}, exercises).files;
  return found.size() == 1 && found[0].refused.empty() ? found[0].exercise->id : "";
}

} // namespace

std::vector<PublicFile> public_files_of_course(const fs::path& root,
                                               const std::vector<lab::Exercise>& exercises) {
  std::vector<PublicFile> files;
  for (const auto& exercise : exercises) {
    const auto add = [&](const fs::path& file, const std::string& name) {
      if (auto text = system::content_of(root / file)) files.push_back({exercise.id, name, *text});
    };
    add(lab::solution_of(exercise), tr("the course's solution"));
    for (const auto& way : lab::honest_ways_of(exercise, root)) add(way, way.string());
    for (const auto& variant : lab::wrong_variants_of(exercise, root))
      if (variant.text()) files.push_back({exercise.id, variant.file.string(), *variant.text()});
  }
  return files;
}

PublicFolder public_files_below(const fs::path& folder,
                                const std::vector<lab::Exercise>& exercises) {
  PublicFolder all;
  for (const auto& file : sources_below(folder)) {
    auto read = system::read_file(file, kMostSource);
    auto* text = std::get_if<std::string>(&read);
    const auto below = file.lexically_relative(folder).string();
    const auto exercise = text ? exercise_of_public(file, below, *text, exercises) : "";
    all.unknown += exercise.empty();
    if (!exercise.empty())
      all.files.push_back({exercise, folder.filename().string() + "/" + below, *text});
  }
  return all;
}

} // namespace course::classroom
