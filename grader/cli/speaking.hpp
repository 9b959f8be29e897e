// The language of what is written for others than who runs the command, as a class's pages are.
#pragma once

#include <filesystem>
#include <string>

namespace course::cli {

// While one exists, this process speaks that language, as language::speak() knows it, the texts of
// the course in `root` included. No other thread may run when it begins or ends. Throws
// std::runtime_error where that language cannot be spoken: others would take English for meant.
class Speaking {
public:
  Speaking(const std::filesystem::path& root, const std::string& language);
  ~Speaking();
  Speaking(const Speaking&) = delete; // it restores what was spoken before
  Speaking& operator=(const Speaking&) = delete;

private:
  std::string before_;
};

} // namespace course::cli
