// Wrong variants as what they change of their solution. README.md in this folder says how they are
// written. Pure: from text to text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace course::lab {

// Why there is no variant.
struct EditFault {
  enum class What {
    stray_line, // is neither a heading, nor a comment, nor of an edit
    no_name,    // the heading has none, or one of other characters than a-z, 0-9 and _
    name_again, // of another variant of this exercise
    no_comment, // nothing says what fails, and why
    no_change,  // an edit, or the variant, changes nothing
    not_there,  // the old text is not in the solution
    several,    // the old text is there at several places
    overlaps,   // another edit
  } what{};
  std::size_t line = 0;   // of the edits' file, from 1
  std::size_t places = 0; // where the old text is, where there are several
  bool operator==(const EditFault&) const = default;
};

// Lines of the solution, and what stands in their place.
struct Edit {
  std::vector<std::string_view> before, after;
  std::size_t line = 0; // of the edits' file: its first
};

struct EditedVariant {
  std::string name;    // "unpadded"
  std::string comment; // "// wrong: conflicts: the tile is not padded\n"
  std::vector<Edit> edits;
  std::optional<EditFault> fault; // of the form, the first
};

// In the text's order; they refer to it. What stands before the first heading is a variant without
// a name.
std::vector<EditedVariant> edited_variants(std::string_view text);

// The solution as a variant has it: without the comment that it begins with, which is the task, and
// without marks.
std::string without_task(std::string_view solution);

// The whole file.
std::variant<std::string, EditFault> applied(const EditedVariant&, std::string_view solution);

} // namespace course::lab
