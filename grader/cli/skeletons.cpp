#include "cli/skeletons.hpp"

#include "build/published_file.hpp"
#include "cli/project.hpp"
#include "lab/check.hpp"
#include "progress/skeleton.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstdlib>

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

ReleasedSkeletons::ReleasedSkeletons(const std::vector<lab::Exercise>& exercises,
                                     const fs::path& root) {
  std::string name = fs::temp_directory_path() / "skeletons-XXXXXX";
  if (!mkdtemp(name.data()))
    throw fs::filesystem_error("cannot make a folder", name,
                               std::error_code(errno, std::generic_category()));
  folder_ = name;
  const auto missing = write_skeletons(folder_, exercises, root);
  if (!missing.empty())
    complaint_ = fmt::format("the skeletons of {} as they were are not to be had: neither git's "
                             "history nor the build's copy has them. Take a fresh clone",
                             fmt::join(missing, ", "));
}

ReleasedSkeletons::~ReleasedSkeletons() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

} // namespace course::cli
