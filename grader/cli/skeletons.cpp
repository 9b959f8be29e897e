#include "cli/skeletons.hpp"

#include "build/published_file.hpp"
#include "cli/project.hpp"
#include "lab/check.hpp"
#include "progress/skeleton.hpp"

namespace course::cli {

namespace fs = std::filesystem;

std::optional<std::string> released_skeleton(const lab::Exercise& exercise, const fs::path& root) {
  auto found = progress::find_skeleton(exercise, root, skeleton_copies());
  if (!found || found->emptied) return std::nullopt;
  return std::move(found->text);
}

std::vector<std::string> write_skeletons(const fs::path& folder,
                                         const std::vector<lab::Exercise>& exercises,
                                         const fs::path& root) {
  std::vector<std::string> missing;
  for (const auto& exercise : exercises) {
    const auto text = released_skeleton(exercise, root);
    const auto file = folder / lab::skeleton_of(exercise);
    if (!text) missing.push_back(exercise.id);
    if (text && build::content_of(file) != text) build::publish(file, *text);
  }
  return missing;
}

} // namespace course::cli
