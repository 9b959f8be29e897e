// The list of `course run --expect`: how it is read, and held against what was found.
#include "cli/expected.hpp"

#include <doctest/doctest.h>

namespace course::cli {
namespace {

report::Fault fault(const char* rule, const char* path, std::uint32_t line, bool serious = true) {
  report::Fault made;
  made.rule = rule;
  made.path = path;
  made.line = line;
  made.serious = serious;
  return made;
}

std::vector<Expected> list(const char* text) {
  const auto read = expected_of(text);
  REQUIRE(std::holds_alternative<std::vector<Expected>>(read));
  return std::get<std::vector<Expected>>(read);
}

bool is_refused(const char* text) {
  return std::holds_alternative<std::string>(expected_of(text));
}

} // namespace

TEST_CASE("a list has a kind and a line in each of its lines, and comments") {
  const auto all = list("# known\n\n  race sub/main.cu:12  # since May\nout-of-bounds a:b.cu:3\n");
  REQUIRE(all.size() == 2);
  CHECK(all[0].rule == "race");
  CHECK(all[0].path == "sub/main.cu");
  CHECK(all[0].line == 12);
  CHECK(all[1].path == "a:b.cu");
  for (const char* wrong : {"race", "race main.cu", "race main.cu:", "race main.cu:x",
                            "race main.cu:12 more", "race main.cu:99999999999"})
    CHECK(is_refused(wrong));
  CHECK(std::get<std::string>(expected_of("race a.cu:1\nrace")) ==
        "line 2: a kind of finding and its line, as in: race main.cu:12");
}

TEST_CASE("what is expected may be there, and has to be") {
  const std::vector<report::Fault> faults{fault("race", "sub/main.cu", 12),
                                          fault("bank-conflicts", "sub/main.cu", 14, false)};
  CHECK(unexpected(faults, list("race sub/main.cu:12")).none());
  CHECK(unexpected(faults, list("race main.cu:12")).none());
  CHECK(in_lines(unexpected(faults, {})) == "course run: not expected: race sub/main.cu:12\n");
  // Neither another line, nor another file that ends alike, nor what is no finding.
  for (const char* other : {"race main.cu:13", "race n.cu:12", "barrier main.cu:12"})
    CHECK(unexpected(faults, list(other)).missing.size() == 1);
  CHECK(in_lines(unexpected(faults, list("race main.cu:12\nbank-conflicts main.cu:14"))) ==
        "course run: expected, and not found: bank-conflicts main.cu:14\n");
}

} // namespace course::cli
