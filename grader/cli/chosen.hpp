// The exercises that a person chose on the command line.
#pragma once

#include "lab/exercise.hpp"
#include "lab/variants.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace course::cli {

struct Chosen {
  const lab::Exercise* exercise = nullptr;
  std::filesystem::path file; // where a path to an existing file was typed; else empty
};

// A path as it is typed in Windows, which WSL has below /mnt: "C:\\labs\\2_pad.cu" is
// "/mnt/c/labs/2_pad.cu". Anything else as it is, and so is a file that has such a name.
std::string as_linux_path(const std::string& typed);

// Words as in lab::find; the path of a file has to exist, or to be that of the student's own file
// from the project's root on, or the end of it. A message, with what is near, when one of them
// means no exercise of the course in `root`.
std::variant<std::vector<Chosen>, std::string> choose(const std::filesystem::path& root,
                                                      const std::vector<std::string>& words);
std::variant<std::vector<Chosen>, std::string> everything(const std::filesystem::path& root);

// The file that is meant: the one given by --file; the course's solution, also where a file of the
// exercise was typed; the one typed; or the student's own, from the project's root.
std::filesystem::path file_of(const Chosen&, const std::filesystem::path& given, bool solution,
                              const std::filesystem::path& root);

// The same file; or, where there is none of that name and it is that of a wrong variant that is
// kept as edits, the variant, for as long as this lives.
class MeantFile {
public:
  MeantFile(const Chosen&, const std::filesystem::path& given, bool solution,
            const std::filesystem::path& root);
  const std::filesystem::path& path() const { return variant_ ? variant_->path() : path_; }

private:
  std::filesystem::path path_;
  std::optional<lab::VariantFile> variant_;
};

// The wrong variant of that name, or what is wrong: its edits, or the name; then with those that
// there are.
std::variant<lab::Variant, std::string> named_variant(const lab::Exercise&, const std::string& name,
                                                      const std::filesystem::path& root);

// A source file's text, to be shown. Empty for what the compiler would not have read either: links,
// devices, a file without end.
std::string text_of(const std::filesystem::path& file);

} // namespace course::cli
