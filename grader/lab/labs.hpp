// Every exercise of the course, and how one is found by what a person types.
#pragma once

#include "lab/exercise.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace course::lab {

// All of the course in `root`, in its order. Read once for each root, and kept. Throws CourseError
// where a file cannot be used (exercise_file.hpp).
const std::vector<Exercise>& exercises(const std::filesystem::path& root);

// Has the language that is spoken now learn what that course says in it: done for the one that was
// spoken when the exercises were read.
void learn_texts(const std::filesystem::path& root);

// What can be earned of it where there is no GPU: "time" is the one check that needs one.
int points_without_gpu(const Exercise&);

// A digest of what it is made of, as that is now: verdicts of two versions are two.
std::string version_of(const Exercise&);

// What a person typed: an id ("05_transpose/2_pad"), a name ("2_pad"), the path of its file, or the
// start of an id or a name, where that means one exercise only.
struct Found {
  const Exercise* exercise = nullptr; // nullptr: none, or more than one
  std::vector<const Exercise*> near;  // then: what may have been meant, best first
};
Found find(const std::vector<Exercise>&, const std::string& typed);

} // namespace course::lab
