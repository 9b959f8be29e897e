// The files of a built book, by their addresses.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace course::serve {

class BookFiles {
public:
  // What lies in `folder` when this is made: regular files alone, links are passed over. What is
  // not there then is not served.
  explicit BookFiles(const std::filesystem::path& folder);

  struct File {
    std::string type, text, tag; // tag: another text has another
  };
  // Pages get the script that makes their exercises live. Nothing: there is no such file.
  std::optional<File> find(const std::string& name) const;

private:
  std::map<std::string, std::filesystem::path> files_;
};

} // namespace course::serve
