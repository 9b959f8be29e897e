// The skeletons as the course gave them, for what is compared with them or shipped: never those of
// labs/, which its owner edits.
#pragma once

#include "lab/exercise.hpp"

#include "system/temporary_folder.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace course::cli {

// As progress::find_skeleton finds it; nothing where only something made up could be had.
std::optional<std::string> released_skeleton(const lab::Exercise&,
                                             const std::filesystem::path& root);

// Writes FOLDER/labs/NN_name/K_step.cu of all, and gives the ids of those that are not to be had.
// Throws std::filesystem::filesystem_error.
std::vector<std::string> write_skeletons(const std::filesystem::path& folder,
                                         const std::vector<lab::Exercise>&,
                                         const std::filesystem::path& root);

// All of them in a folder of their own, removed with what is in it.
class ReleasedSkeletons {
public:
  ReleasedSkeletons(const std::vector<lab::Exercise>&, const std::filesystem::path& root);
  const std::filesystem::path& folder() const { return folder_.path(); } // has labs/
  const std::string& complaint() const { return complaint_; }            // empty when all are there

private:
  system::TemporaryFolder folder_;
  std::string complaint_;
};

} // namespace course::cli
