// The wrong variants of exercises: each is the solution with one mistake, kept as a file of its own
// or as what it changes (edits.hpp). Whoever reads them does so here.
#pragma once

#include "lab/edits.hpp"
#include "lab/exercise.hpp"
#include "system/temporary_folder.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace course::lab {

struct Variant {
  // From the project's root: "solutions/05_transpose/wrong/2_pad_unpadded.cu". It names the variant
  // in tables, whether or not there is such a file.
  std::filesystem::path file;
  std::variant<std::string, EditFault> source; // its whole text, or why there is none

  const std::string* text() const { return std::get_if<std::string>(&source); }
  const EditFault* fault() const { return std::get_if<EditFault>(&source); }
};

// Where an exercise keeps those that are edits, from the project's root:
// solutions/05_transpose/wrong/2_pad.diff.
std::filesystem::path edits_of(const Exercise&);

// By their files' names.
std::vector<Variant> wrong_variants_of(const Exercise&, const std::filesystem::path& root);

// The one of that name: "unpadded", "2_pad_unpadded", or the end of its file's path.
std::optional<Variant> wrong_variant(const Exercise&, const std::filesystem::path& root,
                                     const std::string& name);
std::string name_of(const Variant&, const Exercise&); // "unpadded"

// A variant's text as a file of its name, for as long as this lives.
class VariantFile {
public:
  explicit VariantFile(const Variant&); // which has a text. Throws filesystem_error
  const std::filesystem::path& path() const { return path_; }

private:
  system::TemporaryFolder folder_;
  std::filesystem::path path_;
};

} // namespace course::lab
