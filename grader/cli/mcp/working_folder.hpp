// Which files a call may name: CUDA sources below the working folder that are nobody's answers, and
// what they include from there. They are copied, so that nvcc and the program get to see the copies
// alone: no link, no "..", no absolute path leads out of those.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace course::cli::mcp {

class WorkingFolder {
public:
  // `kept`: folders of which nothing may be read, wherever they are. Throws
  // std::filesystem::filesystem_error where there is no such folder.
  explicit WorkingFolder(const std::filesystem::path& folder,
                         const std::vector<std::filesystem::path>& kept = {});

  const std::filesystem::path& path() const { return folder_; }

  struct Gathered {
    std::filesystem::path source; // its copy, as seen from the folder of copies
    std::string text;
    bool specific = false; // for sm_90a (build/specific.hpp)
    // Names in quotes after #include that are there and were not copied, each with its reason.
    std::vector<std::string> left_out;
  };
  struct Refused {
    std::string why; // and what to do
  };
  // Copies `file`, which was named by whoever calls, and what it includes, into `copies`, each at
  // the place that it has below the working folder. Throws std::filesystem::filesystem_error where
  // copies cannot be written.
  std::variant<Gathered, Refused> gather(const std::string& file,
                                         const std::filesystem::path& copies) const;

private:
  std::string why_not(const std::filesystem::path& file) const; // empty: it may be read

  std::filesystem::path folder_;
  std::vector<std::filesystem::path> kept_;
};

} // namespace course::cli::mcp
