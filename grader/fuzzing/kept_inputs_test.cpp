#include "fuzzing/kept_inputs.hpp"

#include <doctest/doctest.h>

namespace course::fuzzing {
namespace {

using Inputs = std::vector<std::string>;

Inputs read(std::string_view text) {
  auto result = inputs_of(text);
  if (const auto* why = std::get_if<std::string>(&result)) FAIL(*why);
  return std::get<Inputs>(result);
}
std::string refused(std::string_view text) {
  const auto result = inputs_of(text);
  REQUIRE(std::holds_alternative<std::string>(result));
  return std::get<std::string>(result);
}

TEST_CASE("an input is a line of printable ASCII, whatever its bytes are") {
  CHECK(line_of("add.u32 %r1, %r2, 3;\n") == "add.u32 %r1, %r2, 3;\\n");
  CHECK(line_of("a\\n\tb\x7f\xff") == "a\\\\n\\tb\\x7f\\xff");
  CHECK(line_of(std::string("\0\0\0x", 4)) == "\\x00\\x00\\x00x");
  CHECK(line_of(std::string(20, '\0') + "0") == "\\0{20}0");
  CHECK(line_of("#") == "\\x23");
  CHECK(line_of("a#") == "a#");
}

TEST_CASE("every byte, alone and beside zeros, comes back") {
  Inputs all = {"", "plain", std::string(1000, '\0')};
  for (int byte = 0; byte < 256; ++byte) {
    const std::string one(1, static_cast<char>(byte));
    all.push_back(one);
    all.push_back(one + std::string(7, '\0') + one);
  }
  std::string text = "# a comment\n";
  for (const auto& input : all) text += line_of(input) + "\n";
  CHECK(read(text) == all);
}

TEST_CASE("a text without inputs has none, and an empty line is an empty input") {
  CHECK(read("").empty());
  CHECK(read("# nothing yet\n").empty());
  CHECK(read("\n") == Inputs{""});
  CHECK(read("last") == Inputs{"last"});
}

TEST_CASE("what is no escape is refused, with its line") {
  for (const char* wrong : {"\\", "\\q", "\\x", "\\x1", "\\xg0", "\\0", "\\00", "\\0{", "\\0{}",
                            "\\0{-1}", "\\0{9999999999999999999999}", "\\0{999999999}"})
    CHECK(refused(std::string("good\n") + wrong + "\n") == "line 2 has an escape that is none");
}

} // namespace
} // namespace course::fuzzing
