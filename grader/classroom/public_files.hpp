// Files that students may have had before their eyes: the course's own, and of folders that an
// instructor names, such as last year's archive or copies from the net.
#pragma once

#include "lab/exercise.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace course::classroom {

struct PublicFile {
  std::string exercise; // id
  std::string name;     // "the course's solution", "wrong/2_pad_unpadded.cu"
  std::string text;
};

// Solutions, wrong variants and honest ways of the course in `root`, as far as they are there.
std::vector<PublicFile> public_files_of_course(const std::filesystem::path& root,
                                               const std::vector<lab::Exercise>&);

// The .cu files below a folder, by their names or their first lines, or where a class keeps them:
// archive/05_transpose/2_pad/DIGEST.cu.
struct PublicFolder {
  std::vector<PublicFile> files;
  std::size_t unknown = 0; // .cu files of no exercise
};
PublicFolder public_files_below(const std::filesystem::path& folder,
                                const std::vector<lab::Exercise>&);

} // namespace course::classroom
