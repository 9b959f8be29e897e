// A student's files: labs/NN_name/K_step.cu below a folder, read and written by a page while an
// editor may do the same.
//
// Each text has a version. What is saved says on which version it builds; where the file has
// another by then, nothing is written and both texts are shown. A text that is given up goes to
// .course/kept, as `course reset` keeps one.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>

namespace course::serve {

struct Text {
  std::string text, version;
};

enum class NoText {
  missing,
  not_plain, // a link, on the way to it or itself, or no file
  too_large,
  not_text, // not UTF-8
};

std::string version_of(const std::string& text);

class StudentFiles {
public:
  explicit StudentFiles(std::filesystem::path root) : root_(std::move(root)) {}

  // `exercise`: the id of one that there is.
  std::variant<Text, NoText> read(const std::string& exercise) const;

  // The version that is there now, without reading it where stat says that it is as it was. Empty
  // where it cannot be read.
  std::string version(const std::string& exercise);

  // In one step, and on the disk when this returns. A text: the file has that one, which is not
  // what `base` says; nothing was written. Throws std::filesystem::filesystem_error where there is
  // no room, or no right to write.
  std::variant<Text, NoText> save(const std::string& exercise, const std::string& text,
                                  const std::string& base) const;

  // Where it is kept, below the root: a new name each time. Nothing where kMostKept of the exercise
  // are kept already, so that no page fills the disk. Throws as save does.
  static constexpr std::size_t kMostKept = 500;
  std::optional<std::filesystem::path> keep(const std::string& exercise,
                                            const std::string& text) const;

private:
  std::filesystem::path root_;
  struct Seen {
    std::string stamp, version;
  };
  std::map<std::string, Seen> seen_;

  std::filesystem::path file_of(const std::string& exercise) const;
  bool is_plain(const std::string& exercise) const;
};

} // namespace course::serve
