#include "cli/skeletons.hpp"

#include "cli/project.hpp"
#include "lab/proofs.hpp"
#include "language/translate.hpp"
#include "progress/skeleton.hpp"
#include "system/published_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstdlib>

namespace course::cli {

namespace fs = std::filesystem;

std::optional<std::string> released_skeleton(const lab::Exercise& exercise, const fs::path& root) {
  auto found = progress::find_skeleton(exercise, root, skeleton_copies());
  if (!found || found->from == progress::Skeleton::From::solution) return std::nullopt;
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
    if (text && system::content_of(file) != text) system::publish(file, *text);
  }
  return missing;
}

namespace {

// A folder of one's own has no history before its first commit; a course that was cloned has one.
std::string remedy(const fs::path& root) {
  std::error_code none;
  if (fs::equivalent(root, COURSE_SOURCE_DIR, none)) return tr("Take a fresh clone");
  const auto begin = fs::exists(root / ".git", none) ? "" : "git init && ";
  return tr(
      "A folder of your own keeps them from its first commit on: {}",
      fmt::format("cd {} && {}git add . && git commit -m \"skeletons\"", root.string(), begin));
}

} // namespace

ReleasedSkeletons::ReleasedSkeletons(const std::vector<lab::Exercise>& exercises,
                                     const fs::path& root)
    : folder_("skeletons") {
  const auto missing = write_skeletons(folder_.path(), exercises, root);
  if (!missing.empty())
    complaint_ = tr("the skeletons of {} as they were are not to be had: neither git's "
                    "history nor the build's copy has them. {}",
                    fmt::join(missing, ", "), remedy(root));
}

} // namespace course::cli
