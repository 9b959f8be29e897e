// What a grading service needs to run the course's grader on what students hand in there.
//
//   gradescope    FOLDER/setup.sh, run_autograder, class.toml, course/: zip it and upload it
//   classroom50   FOLDER/autograder.py, class.toml, course/
//
// course/ is the project without solutions/, hidden files and what was built: whoever reads the
// grader's machine learns no answer.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace course::classroom {

enum class Service { gradescope, classroom50 };

struct Kit {
  Service service = Service::gradescope;
  std::filesystem::path project;      // the folder with labs/
  std::filesystem::path skeletons;    // a tree with labs/ as the course ships it, instead of the
                                      // project's, which its owner edits; may not be there
  std::vector<std::string> exercises; // that are asked for; empty: whatever is handed in
  std::uint64_t seed = 0;             // of the hidden inputs
};

// `folder` has to be new or empty. Throws std::filesystem::filesystem_error.
void write_kit(const std::filesystem::path& folder, const Kit&);

} // namespace course::classroom
