// The file that an exercise began as, whatever has become of it.
//
// labs/ is the student's to edit and to commit, so neither it nor the last commit can be trusted to
// hold the skeleton. Looked for, in this order:
//   1. git's history of the file: its oldest version that is a skeleton of this solution
//   2. the copy that the build made before the first edit (grader/cli/CMakeLists.txt)
//   3. the solution, with its marked regions emptied
#pragma once

#include "lab/exercise.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace course::progress {

struct Skeleton {
  enum class From {
    history,  // of this file: what differs from it was changed
    copy,     // of the build
    solution, // what stood in the marked regions is lost
  };
  std::string text;
  From from{};

  std::string source() const; // "git's history", in the reader's language
};

// `copies`: the build's folder, with a tree like labs/. Nothing where none of the three is there.
std::optional<Skeleton> find_skeleton(const lab::Exercise&, const std::filesystem::path& root,
                                      const std::filesystem::path& copies);

// Whether a text can be the skeleton: it equals the solution outside the marks, and each marked
// region says TODO. Without a solution, as a class may be given the course, the marks alone count.
bool is_skeleton(std::string_view text, const std::optional<std::string>& solution);

// Whether work was done: whether the marked regions are others than those of the file as it began.
bool is_edited(std::string_view text, std::string_view as_it_began);

// The solution with nothing but a TODO in its marked regions; nothing when its marks do not pair
// up.
std::optional<std::string> emptied(std::string_view solution);

} // namespace course::progress
