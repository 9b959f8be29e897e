#include "lab/edits.hpp"

#include <doctest/doctest.h>

namespace course::lab {
namespace {

using BadEdit = EditFault::What;

constexpr const char* kEditedSolution = "// 05_transpose/2_pad: a tile\n"
                                        "// and what to do\n"
                                        "\n"
                                        "//! [kernel]\n"
                                        "begin();\n"
                                        "  // Your work begins here.\n"
                                        "  float tile[32][33];\n"
                                        "\n"
                                        "  wait();\n"
                                        "  // Your work ends here.\n"
                                        "  use();\n"
                                        "  wait();\n"
                                        "//! [kernel]\n";

const std::string kEditHead = "=== x\n// wrong: output: why\n";

// Of the first variant in `text`: the file, or the fault.
std::variant<std::string, EditFault> first_applied(const std::string& text) {
  return applied(edited_variants(text).at(0), kEditedSolution);
}
std::string text_with(const std::string& text) {
  return std::get<std::string>(first_applied(text));
}
EditFault fault_with(const std::string& text) {
  return std::get<EditFault>(first_applied(text));
}

} // namespace

TEST_CASE(
    "a variant is the solution with its own comment, without marks, and with what it changes") {
  const auto variants = edited_variants("# remarks are for who reads the edits\n"
                                        "=== unpadded\n"
                                        "// wrong: conflicts: no padding\n"
                                        "// at all\n"
                                        "-  float tile[32][33];\n"
                                        "+  float tile[32][32];\n"
                                        "@@\n"
                                        "   use();\n"
                                        "-  wait();\n"
                                        "\n"
                                        "=== more\n"
                                        "// wrong: output: why\n"
                                        "   use();\n"
                                        "+  use();\n");
  REQUIRE(variants.size() == 2);
  CHECK(variants[0].name == "unpadded");
  CHECK(
      std::get<std::string>(applied(variants[0], kEditedSolution)) ==
      "// wrong: conflicts: no padding\n// at all\n\nbegin();\n  float tile[32][32];\n\n  wait();\n"
      "  use();\n");
  CHECK(variants[1].name == "more");
  CHECK(
      std::get<std::string>(applied(variants[1], kEditedSolution)) ==
      "// wrong: output: why\n\nbegin();\n  float tile[32][33];\n\n  wait();\n  use();\n  use();\n"
      "  wait();\n");
}

TEST_CASE("an empty line inside an edit is one of the solution, and one after it is none") {
  CHECK(text_with(kEditHead + "   float tile[32][33];\n\n-  wait();\n\n\n=== y\n") ==
        "// wrong: output: why\n\nbegin();\n  float tile[32][33];\n\n  use();\n  wait();\n");
}

TEST_CASE("edits may stand in any order, and the last line may lack its end") {
  CHECK(text_with(kEditHead + "-  use();\n@@\n-begin();") ==
        "// wrong: output: why\n\n  float tile[32][33];\n\n  wait();\n  wait();\n");
}

TEST_CASE("an edit that does not apply, or in two places, is told by its line") {
  CHECK(fault_with(kEditHead + "-  float tile[32][34];\n") == EditFault{BadEdit::not_there, 3});
  CHECK(fault_with(kEditHead + "-  // Your work ends here.\n") == EditFault{BadEdit::not_there, 3});
  CHECK(fault_with(kEditHead + "-begin();\n@@\n-  wait();\n") == EditFault{BadEdit::several, 5, 2});
  CHECK(fault_with(kEditHead + "-begin();\n+a();\n@@\n-begin();\n+b();\n") ==
        EditFault{BadEdit::overlaps, 6});
  CHECK(fault_with(kEditHead + "-begin();\n   float tile[32][33];\n@@\n-  float tile[32][33];\n") ==
        EditFault{BadEdit::overlaps, 6});
  const auto of_nothing = applied(edited_variants(kEditHead + "-begin();\n").at(0), "");
  CHECK(std::get<EditFault>(of_nothing) == EditFault{BadEdit::not_there, 3});
}

TEST_CASE("what cannot be meant is told by its line, and the other variants stand") {
  CHECK(fault_with("-begin();\n") == EditFault{BadEdit::no_comment, 1});
  CHECK(fault_with("===\n// wrong: output: why\n-begin();\n") == EditFault{BadEdit::no_name, 1});
  CHECK(fault_with("=== Two words\n// wrong: output: why\n-begin();\n") ==
        EditFault{BadEdit::no_name, 1});
  CHECK(fault_with("=== x\n-begin();\n") == EditFault{BadEdit::no_comment, 1});
  CHECK(fault_with(kEditHead + "begin();\n") == EditFault{BadEdit::stray_line, 3});
  CHECK(fault_with(kEditHead) == EditFault{BadEdit::no_change, 1});
  CHECK(fault_with(kEditHead + " begin();\n") == EditFault{BadEdit::no_change, 3});
  CHECK(fault_with(kEditHead + "-begin();\n+begin();\n") == EditFault{BadEdit::no_change, 3});
  CHECK(fault_with(kEditHead + "+begin();\n") == EditFault{BadEdit::no_change, 3});
  const auto again = edited_variants(kEditHead + "-begin();\n\n" + kEditHead + "-begin();\n");
  REQUIRE(again.size() == 2);
  CHECK_FALSE(again[0].fault);
  CHECK(again[1].fault == EditFault{BadEdit::name_again, 5});
  CHECK(edited_variants("").empty());
  CHECK(edited_variants("# nothing\n\n").empty());
}

} // namespace course::lab
